/** Text output of `toolkeep registry`. */
import type { PlanChange, RegistryCard, RegistryPlan, RegistryView } from '../../../shared/model/registry.ts';
import { describeChange } from '../../../shared/plan-change.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { count, type Style, safe } from '../terminal.ts';

export function cardsText(cards: readonly RegistryCard[], registries: readonly RegistryView[], style: Style): string {
  const lists = registries.map(({ name, syncedAt, entries, failure }) => {
    const age = syncedAt === undefined ? 'not complete' : `as of ${day(syncedAt)}`;
    return `${safe(name)}: ${count(entries, 'server')}, ${age}${failure ? ` (${safe(failure)})` : ''}`;
  });
  if (cards.length === 0) return `No server found.\n${style.dim(lists.join('\n'))}`;
  return [...cards.map((card) => cardLines(card, style)), style.dim(lists.join('\n'))].join('\n');
}

function cardLines(card: RegistryCard, style: Style): string {
  const { name, version, description, isDeprecated, installed } = card;
  const marks = [
    installed && style.good(`installed as ${safe(installed.server)}`),
    isDeprecated && style.warn('deprecated by its publisher'),
    card.options.every(({ refused }) => refused !== undefined) && style.warn('cannot be installed'),
  ].filter(Boolean);
  const head = `${style.bold(safe(name))} ${safe(version)}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
  return `${head}\n  ${safe(description)}\n  ${style.dim(needsText(card))}`;
}

export function needsText({ needs, publishedAt }: RegistryCard): string {
  const parts = [
    needs.runtime ? `runs with ${safe(needs.runtime)}` : 'remote',
    needs.secrets > 0 && `needs ${count(needs.secrets, 'secret')}`,
    needs.files > 0 && `needs ${count(needs.files, 'path')}`,
    needs.inputs > 0 && count(needs.inputs, 'setting'),
    needs.hosts && `contacts ${count(needs.hosts.length, 'host')}`,
    publishedAt !== undefined && `published ${day(publishedAt)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Everything that the user should know before the installation. */
export function planText(plan: RegistryPlan, style: Style): string {
  const { card, values, files, hosts, runtime, ownership } = plan;
  const marks = { confirmed: style.good('✓'), denied: style.bad('✗'), unknown: style.warn('?') };
  const options = card.options.map(
    ({ id, kind, target, refused }) =>
      `  ${id === plan.option ? '›' : ' '} ${safe(id)}: ${id === kind ? '' : `${safe(kind)} `}${safe(target)}${refused ? style.warn(` (${safe(refused)})`) : ''}`,
  );
  const fields = plan.fields.map(({ name, kind, required, description }) => {
    const notes = [kind, required ? 'required' : 'optional'].join(', ');
    return `  ${safe(name)} (${notes})${description ? `: ${safe(description)}` : ''}`;
  });
  return [
    `${style.bold(safe(card.title ?? card.name))} ${safe(card.name)} ${safe(card.version)}`,
    `  ${safe(card.description)}`,
    ...(options.length > 1 ? ['Options:', ...options] : []),
    ...(fields.length > 0 ? ['Inputs:', ...fields] : []),
    ...(plan.changes ? changesText(plan.changes, style) : []),
    plan.replaces ? `Replaces ${safe(plan.server)} ${safe(plan.replaces)}:` : `Adds the server ${safe(plan.server)}:`,
    ...(plan.command.length > 0 ? [`  ${plan.isRemote ? 'Address' : 'Command'}: ${commandText(plan.command)}`] : []),
    ...values.map(({ name, value, isSecret }) => `  ${safe(name)}=${safe(value)}${isSecret ? ' (in the vault)' : ''}`),
    ...(files.length > 0 ? [`  Files: ${safe(files.join(', '))}`] : []),
    ...(hosts.length > 0 ? [`  ${plan.isRemote ? 'Host' : 'Downloaded from'}: ${safe(hosts.join(', '))}`] : []),
    ...confinementLines(plan),
    ...(runtime?.isMissing ? [style.bad(`  ✗ ${safe(runtime.command)} is not installed. ${runtime.fix}`)] : []),
    `  ${marks[ownership.state]} ${safe(ownership.detail)}`,
    ...plan.warnings.map((warning) => style.warn(`  ! ${safe(warning)}`)),
    ...(plan.refused ? [style.bad(`  ✗ ${safe(plan.refused)}`)] : []),
    ...Object.entries(plan.problems).map(([name, problem]) => style.warn(`  ! ${safe(name)}: ${safe(problem)}`)),
  ].join('\n');
}

function confinementLines({ confinement, declaredHosts }: RegistryPlan): string[] {
  const named = declaredHosts && safe(declaredHosts.join(', '));
  if (!confinement?.isConfined)
    return [
      ...(confinement ? [`  Not confined: ${safe(confinement.reason)}`] : []),
      ...(named ? [`  Contacts, according to its publisher: ${named} (not enforced)`] : []),
    ];
  return [
    '  Confined: it sees only the files that its configuration names, and asks before it reaches another host',
    ...(named ? [`  May reach, because its publisher names them: ${named}`] : []),
  ];
}

function changesText(changes: readonly PlanChange[], style: Style): string[] {
  const paint = { '+': style.good, '-': style.bad, '~': style.warn };
  const lines = changes.map((change) => {
    const { sign, title } = describeChange(change);
    const text = sign === '~' ? `${change.before} → ${change.after}` : (change.after ?? change.before ?? '');
    return `  ${paint[sign](sign)} ${title}: ${safe(text)}`;
  });
  return ['What changes:', ...(lines.length > 0 ? lines : ['  only the version'])];
}

export function installedText(installed: CommandOutput<'registry.installed'>, style: Style): string {
  if (installed.length === 0) return 'No server was installed from a registry.';
  return installed
    .map(({ server, origin, latest, withdrawn, previous }) => {
      const back = previous ? ` (previously ${safe(previous)})` : '';
      const line = `${style.bold(safe(server))} ${safe(origin.name)} ${safe(origin.version)}${back}`;
      if (withdrawn) return `${line}: ${style.bad(`withdrawn. ${safe(withdrawn)}`)}`;
      if (origin.registry === 'file') return `${line}: ${style.dim('from a bundle')}`;
      if (latest === undefined) return `${line}: ${style.dim('no longer listed')}`;
      if (latest === origin.version) return `${line}: ${style.good('latest')}`;
      return `${line}: ${style.warn(`${safe(latest)} is available`)} (toolkeep registry update ${safe(server)})`;
    })
    .join('\n');
}

/** Quotes words that a shell would split, so that the user sees where each argument ends. */
const commandText = (words: string[]) =>
  words
    .map((word) => (/^[\w@%+=:,./‹›-]+$/.test(word) ? word : JSON.stringify(word)))
    .map(safe)
    .join(' ');

const day = (time: number) => new Date(time).toISOString().slice(0, 10);
