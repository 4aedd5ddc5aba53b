/** Explains failures to the user where Core's own words are meant for agents. */
import { type Failure, type FailureCode, failureCodes } from '../../shared/failure.ts';

interface Explained {
  message: string;
  /** Empty if there is nothing to add. */
  hint: string;
}

const explained: { readonly [code in FailureCode]?: Explained } = {
  APPROVAL_DENIED: {
    message: 'You did not allow this call, so it did not run.',
    hint: 'To run it, try again and allow the call.',
  },
  APPROVAL_UNAVAILABLE: {
    message: 'This call needs your approval, but Gatehouse could not ask you. It did not run.',
    hint: 'Answer the open questions, then try again. If there are none, check “approvals” in the config file.',
  },
  ELICITATION_DECLINED: {
    message: 'You declined to answer the tool, so the call did not finish.',
    hint: 'To answer, run the tool again.',
  },
  SERVER_DISABLED: { message: 'The server is disabled, so the call did not run.', hint: 'Enable the server first.' },
  TOOL_DISABLED: {
    message: 'The tool is disabled, so it did not run.',
    hint: 'Enable it, or change the rule that disables it.',
  },
  TOOL_HELD_BACK: {
    message: 'The tool is held until you accept it, so it did not run.',
    hint: 'Review its definition, and accept it if you trust it.',
  },
};

/** Hints of the codes whose failures have a message of their own. */
const hints: { readonly [code in FailureCode]?: string } = {
  ARGUMENTS_INVALID: 'The tool’s parameters show what it accepts.',
  CANCELLED: 'If the server had already started, the call may have had an effect.',
  ELICITATION_TIMEOUT: 'Settings › Approvals sets how long questions wait for your answer.',
  ELICITATION_UNAVAILABLE: 'The tool asked a question, but Gatehouse could not show it to you. Try again.',
  INPUT_INVALID: '',
  PROMPT_NOT_FOUND: 'The server may have removed or renamed it.',
  RESOURCE_NOT_FOUND: 'The server may have removed or renamed it.',
  SERVER_NOT_FOUND: 'It may have been removed or renamed.',
  TOOL_NOT_FOUND: 'The server may have removed or renamed it.',
};

export function explainFailure({ code, message, hint }: Failure): Explained {
  return explained[code] ?? { message, hint: hint ?? hints[code] ?? failureCodes[code] };
}
