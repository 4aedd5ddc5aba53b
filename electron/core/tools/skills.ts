/**
 * The skills that a server lists (MCP extension `io.modelcontextprotocol/skills`). Clients reject a whole list for one
 * invalid entry, so such entries are left out.
 */
import * as z from 'zod';

export const skillsExtension = 'io.modelcontextprotocol/skills';

/** The number of skills of one server, and the files and bytes of one skill that every client accepts. */
const limits = { skills: 500, files: 512, bytes: 16 * 1024 * 1024 };

const fileSchema = z.looseObject({
  uri: z.string().regex(/^[^?#]+$/),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  size: z.int().nonnegative(),
});
const skillSchema = z.looseObject({
  uri: z.string().max(4_096),
  frontmatter: z.looseObject({
    name: z
      .string()
      .max(64)
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
    description: z.string().min(1).max(1_024),
    compatibility: z.string().min(1).max(500).optional(),
    metadata: z.record(z.string(), z.string()).optional(),
  }),
  resources: z.union([z.array(fileSchema).max(limits.files), z.literal('dynamic')]),
});

/** The entry of one skill: its `SKILL.md`, and the digests of all its files unless they are dynamic. */
export type Skill = z.infer<typeof skillSchema>;

/** The valid skills. Each skipped one adds a warning; `poison` returns what is wrong with a description. */
export function skillsFrom(items: unknown[], poison: (skill: Skill) => string[], warnings: string[]): Skill[] {
  const skills = new Map<string, Skill>();
  for (const [index, item] of items.slice(0, limits.skills).entries()) {
    const { data, error } = skillSchema.safeParse(item);
    const problem = data ? (problemOf(data) ?? poison(data)[0]) : z.prettifyError(error).split('\n')[0];
    if (data && problem === undefined && !skills.has(data.uri)) skills.set(data.uri, data);
    else warnings.push(`Skill number ${index + 1} was skipped: ${problem ?? 'its URI is listed twice'}.`);
  }
  if (items.length > limits.skills)
    warnings.push(`The server lists ${items.length} skills; the first ${limits.skills} are used.`);
  return [...skills.values()];
}

/** Checks that all files are in the skill's own folder, which has its name. */
function problemOf({ uri, frontmatter, resources }: Skill): string | undefined {
  const folder = uri.slice(0, -'SKILL.md'.length);
  if (!uri.endsWith('/SKILL.md') || !/^[a-z][a-z0-9+.-]*:/i.test(uri)) return 'its URI does not end in /SKILL.md';
  if (!folder.endsWith(`/${frontmatter.name}/`)) return 'its folder does not have its name';
  if (resources === 'dynamic') return undefined;
  const uris = new Set(resources.map((file) => file.uri));
  if (!uris.has(uri) || uris.size < resources.length) return 'its files lack SKILL.md or repeat a URI';
  const outside = resources.find(
    (file) => !file.uri.startsWith(folder) || /(?:^|\/|%2f)\.\.?(?:\/|%2f|$)|%2e|\\/i.test(file.uri),
  );
  if (outside) return `its file ${JSON.stringify(outside.uri.slice(0, 100))} is not in its folder`;
  const bytes = resources.reduce((sum, file) => sum + file.size, 0);
  return bytes > limits.bytes ? `its files have more than ${limits.bytes} bytes` : undefined;
}
