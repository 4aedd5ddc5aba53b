/** The limits on tool names and schemas that clients, and the APIs of their models, impose. */

/** The limits of one client. A client without limits receives every definition as its server sent it. */
export interface ClientLimits {
  /** Maximum characters of a tool's name, without the prefix that the client adds to it. */
  toolName: number;
  /** The pattern that the names of a tool's parameters must match. */
  parameterName?: RegExp;
  /** Values in an `enum` must be strings, and `const` is not supported. */
  stringEnums?: true;
  /** `$ref` is not supported. */
  noReferences?: true;
}

/**
 * Every API below rejects the whole request, with all tools of all servers, if one tool's parameters are not a plain
 * object at the top: no `anyOf`, `oneOf`, `allOf`, `not`, `enum` or `$ref` there, and always `type: object`.
 *
 * Anthropic: "input_schema does not support oneOf, allOf, or anyOf at the top level" (anthropics/claude-code#88049), and
 * "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'" (modelcontextprotocol/go-sdk#169).
 */
const anthropic = { parameterName: /^[a-zA-Z0-9_.-]{1,64}$/ };

/** Gemini: `enum` must contain strings, and older models support neither `const` nor `$ref` (googleapis schema.proto). */
const gemini = { stringEnums: true, noReferences: true } as const;

/** For clients that let the user choose among the models of several vendors. */
const anyModel = { ...anthropic, ...gemini };

/** A name with the client's prefix may have 64 characters, or 60 in Cursor. `toolName` is this limit minus the prefix below. */
export const limits = {
  /** `mcp__toolkeep__`; longer names end the session (anthropics/claude-code#19882). */
  claude: { toolName: 48, ...anthropic },
  /** Namespace and name are separate fields. */
  openai: { toolName: 54 },
  /** `mcp_toolkeep_` in Gemini CLI, which cuts longer names in the middle. */
  gemini: { toolName: 49, ...gemini },
  /** `mcp_toolkeep_` (microsoft/vscode#243602). */
  vscode: { toolName: 50, ...anyModel },
  /** The server's and the tool's name together have at most 60 characters. */
  cursor: { toolName: 51, ...anyModel },
  /** `toolkeep_`, `toolkeep-`, `toolkeep__`. */
  anyModel: { toolName: 53, ...anyModel },
} satisfies Record<string, ClientLimits>;
