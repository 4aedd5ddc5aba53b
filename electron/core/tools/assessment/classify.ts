/** Classifies a tool for the user: category, complexity, whether it needs a sign-in, whether it is deprecated. */
import type { Category, Tool, ToolDefinition } from '../../../../shared/model/tool.ts';
import { nameWords } from './words.ts';

export type Classification = Pick<Tool, 'category' | 'complexity' | 'requiresAuth' | 'isDeprecated'>;

/** The words of each category. More specific categories come first, because they win ties. */
const fields: [Exclude<Category, 'general'>, string][] = [
  [
    'version-control',
    'git github gitlab bitbucket svn commit commits branch branches repo repository repositories pull merge diff stash blame checkout fork',
  ],
  [
    'authentication',
    'auth authenticate authentication oauth login logout signin password passwords credential credentials token tokens session permission permissions role roles mfa sso',
  ],
  [
    'deployment',
    'deploy deployment deployments docker container containers kubernetes kubectl pod pods helm terraform ci pipeline pipelines workflow workflows build builds release releases rollout rollback cluster instance instances server worker lambda',
  ],
  [
    'file-system',
    'file files folder folders directory directories path paths filesystem pdf docx xlsx document documents presentation slide slides sheet spreadsheet excel word zip upload download attachment disk',
  ],
  [
    'data',
    'sql database databases db table tables row rows column columns record records dataset datasets collection postgres mysql sqlite mongo redis data csv statistics stats metrics analytics graph entities entity observations relations nodes price prices stock stocks market financial historical metadata index knowledge note notes article articles paper papers package packages',
  ],
  [
    'api',
    'api http https rest graphql request requests endpoint url urls webhook fetch web webpage website browser page html crawl scrape click navigate javascript playwright puppeteer domain',
  ],
];
const fieldWords = fields.map(([category, words]) => [category, new Set(words.split(' '))] as const);

/** `text` is the description as the user sees it. */
export function classify(definition: ToolDefinition, text: string): Classification {
  const { properties } = definition.inputSchema;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return {
    category: categoryOf(definition.name, text, names),
    complexity: names.length <= 2 ? 'simple' : names.length <= 5 ? 'moderate' : 'complex',
    requiresAuth: needsAuth(text, names),
    isDeprecated: isDeprecated(definition, text),
  };
}

/** A word in the name counts three times as much as one in the description or parameters. */
function categoryOf(name: string, text: string, parameters: string[]): Category {
  const inName = nameWords(name);
  const inText = new Set(nameWords(text.slice(0, 200)));
  const inParameters = new Set(parameters.flatMap(nameWords));
  let best: Category = 'general';
  let bestScore = 1.9;
  for (const [category, words] of fieldWords) {
    let score = 0;
    for (const word of inName) if (words.has(word)) score += 3;
    for (const word of inText) if (words.has(word)) score += 1;
    for (const word of inParameters) if (words.has(word)) score += 1;
    if (score > bestScore) [best, bestScore] = [category, score];
  }
  return best;
}

const authWords =
  /\b(?:requires? (?:an? )?(?:api key|authentication|authorization|login|sign-?in|token|credentials|account)|api[ _-]?keys?|access[ _-]tokens?|oauth|bearer token|credentials|(?:logged|signed)[ -]in|authenticated|authenticate|must be logged|password)\b/i;
const authParameters =
  /^(?:api_?key|access_?token|auth_?token|token|password|credentials?|auth|authorization|client_?secret)$/i;

function needsAuth(text: string, parameters: string[]): boolean {
  return authWords.test(text.slice(0, 4000)) || parameters.some((name) => authParameters.test(name));
}

/** Statements that the tool itself is deprecated, rather than the things that it finds. */
const deprecatedWords =
  /^\W*deprecated\b|\[deprecated\]|\(deprecated\)|\bdeprecated[:,;]|\b(?:tool|function|method|endpoint|command) (?:is|has been|was) (?:now )?(?:deprecated|obsolete)|\b(?:is|has been) deprecated (?:and|in favou?r|since)\b/i;

function isDeprecated(definition: ToolDefinition, text: string): boolean {
  const { annotations, deprecated } = definition;
  return deprecated === true || annotations?.deprecated === true || deprecatedWords.test(text.slice(0, 2000));
}
