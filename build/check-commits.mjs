/**
 * Checks the subjects of the commits since the one that added this file: a verb in the imperative first, at most 72 characters. Passes
 * where git or the history is missing. Without arguments all these commits; with arguments (`node build/check-commits.mjs "Add a test"`)
 * these subjects.
 */
import { spawnSync } from 'node:child_process';
import { root, say } from './paths.mjs';

const most = 72;
const verbs = new Set(
  `accept add adjust align allow answer apply ask assert avoid await base begin bind block bound build bump bundle cache call cancel
  cap change check choose clarify clean clear close collect combine compare compile complete compress compute confine confirm connect
  convert copy correct count cover create cut decide declare deduplicate defer define delay delete deny deprecate derive describe detect
  disable disconnect document drop embed enable encode end enforce ensure escape exclude expect explain export expose extend extract
  fail fall fetch fill filter find finish fix flush fold follow forbid force forget format free gather generate get give go group grow guard handle hide hold
  honor identify ignore import improve include increase infer inform inline insert install introduce isolate join judge keep kill know label
  land leave lengthen let limit link list listen load lock log look lower make map mark match measure merge migrate mock move name narrow
  normalize notify number observe offer omit open order organize pack parse pass pause pin place plan point prefer prepare present
  preserve prevent print probe process prompt propose protect prove provide publish pull push put quote raise rank read rebuild receive
  recognize record recover redact reduce refer refresh refuse register reject relax release reload rely remember remove rename render renew
  reorder repair repeat replace reply report request require reset resolve respect restart restore restrict resume retire retry return reuse
  revert rewrite round route run sample save say scale scan search seal select send separate serve set shorten show simplify skip sort
  speed split spread standardize start state stay stop store stream strip submit suggest support suppress swap switch sync synchronize
  tag take teach tell test throw tidy tighten time tolerate track translate treat trim trust try turn type undo unify uninstall update
  unwrap upgrade use validate verify wait warn watch widen withdraw word wrap write`.split(/\s+/),
);

const given = process.argv.slice(2);
const wrong = (given.length > 0 ? given : subjects()).flatMap((subject) => {
  const fault = faultOf(subject);
  return fault === undefined ? [] : [`"${subject}": ${fault}`];
});
for (const line of wrong) say(line);
if (wrong.length > 0) say('See "Send a change" in CONTRIBUTING.md.');
process.exit(wrong.length === 0 ? 0 : 1);

/** Why a subject is not accepted; undefined if it is. */
function faultOf(subject) {
  const [first = ''] = subject.split(' ');
  // Git writes these subjects.
  if (/^(?:Merge|Revert) /.test(subject)) return undefined;
  if (subject.length > most) return `has ${subject.length} characters; ${most} are allowed`;
  if (!/^[A-Z][a-z]+$/.test(first)) return `start with a capitalized verb, without a prefix, not with "${first}"`;
  if (!verbs.has(first.toLowerCase())) return `"${first}" is not a verb that build/check-commits.mjs lists`;
  return subject.endsWith('.') ? 'omit the period' : undefined;
}

/** A shallow history has one commit, which seems to have added everything. */
function subjects() {
  const added = git('log', '--diff-filter=A', '--format=%H', '--', 'build/check-commits.mjs').at(-1);
  return added === undefined ? [] : git('log', '--no-merges', '--format=%s', `${added}..HEAD`);
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}
