/** The effects that English verbs imply, one row per effect. The first matching row decides. */

import type { Effect } from '../../../../shared/model/tool.ts';
import { actingRows } from './acting-verbs.ts';
import { row, type VerbRow, words } from './verb-row.ts';

export const verbRows: VerbRow[] = [
  ...actingRows,
  row('reads', 'resolve', { only: 'id ip ips address addresses css', object: 'selector hostname library' }),
  row('reads', 'take', { only: 'dom accessibility a11y', object: 'snapshot' }),
  row(
    'changes',
    `create add insert append adjust amend edit update modify set put patch write save upload download import copy duplicate clone fork move
     rename replace merge apply push commit stage checkout switch start stop restart pause resume cancel close open mark
     assign unassign reassign reallocate revise rectify administer prescribe rebook converge reap enable disable schedule sync upsert send store record register submit approve reject complete resolve
     transition draft archive restore revert reset clear click fill type press hover select scroll drag navigate go handle
     dismiss new make play skip seek begin end finalize init initialize setup configure manage populate customize optimize
     renew refresh forward attach detach link unlink subscribe unsubscribe follow unfollow like star upvote react annotate
     reply trigger retry train turn toggle increment expire scale forward stash unstage focus resize emulate wait request
     give interact run evaluate undo redo unapprove unresolve unsubscribe unschedule unmute unhide unblock unignore unmark unset unshare detach bookmark pin tag label protect unarchive index join leave sign login logout connect decline skip reserve flag unflag untrash undelete
     disconnect mount unmount change take compose`,
    { except: '' },
  ),
  row('reveals secrets', 'get read show reveal retrieve fetch export dump', {
    only: 'secret secrets password passwords credentials jwt env dotenv',
    except:
      'policy policies metadata scan scanning alert alerts resolutions status rotation strength type types count kinds schema location locations',
    inName: true,
  }),
  row('reveals secrets', 'get', { only: 'authorization', except: 'server status url config policy', inName: true }),
  row('changes', 'format', {
    only: 'doc document sheet sheets cell cells slide slides paragraph range file files spreadsheet',
    inName: true,
  }),
  row(
    'reads',
    // prose-ok: both spellings occur in tool names
    `summarise get list read search find show fetch describe check query view lookup look count explain inspect peek retrieve analyze
     analyse diagnose grep stat enumerate introspect embed autocomplete mget blame who calculate compute compare validate verify diff summarize extract return report export predict
     estimate convert parse translate generate recommend suggest plan think detect identify determine browse display
     preview print tell provide aggregate sample scan status info help log trace monitor track resolve reverse geocode
     ping whois is has audit test lint measure load transcribe render visualize visualise draw build simulate discover explore
     locate scrape crawl capture screenshot select take access gather collect obtain pull poll watch review assess
     evaluate screen observe research filter sort match score rank classify format clean transform encode decode hash solve roll flip
     shuffle pick choose random provides looksup`,
  ),
];

/** The effects that make a tool dangerous. */
export const dangerousEffects = new Set<Effect>([
  'destroys',
  'overwrites',
  'runs code',
  'sends',
  'spends',
  'changes access',
  'reveals secrets',
  'misleads',
  'goes live',
  'moves things in the world',
]);

/**
 * Words at the end of a name that mean that the tool reads, regardless of the first word: `tag_list`, `package_search`.
 */
export const readingEnds = words(
  'list search find show info status details lookup docs stats history check get tool reader readers',
);

/** Verbs at the end of a name that mean that the tool acts: `pull_request_write`. */
export const actingEnds = words(
  'write writer updater create update upsert delete remove put set send add merge complete close',
);

/** Verbs that are also common nouns: `order_status_check`, `book.find`. */
export const alsoNouns = words(
  `book order post email trade charge share transfer purchase bid rent call message run tag play record index label star draft request pin
   like open log scan reply email share post sms message pull test plan match draw build screen sample view deploy release mail comment monitor undo dm leave`,
);

/** Verbs that act anywhere in a name and are hardly ever nouns there: `get_put_object`. */
export const laterActing = new Set([
  ...actingEnds,
  ...words(
    'run deploy activate assign cancel install reply insert edit rename upload enable disable restart reboot toggle rotate start push mute rerun evaluate approve stop',
  ),
]);

/** English words that are verbs in other languages. */
export const englishToo = words('sender senders type lost theme themes get');

/** Verbs that read in most names and act in some; the description decides. */
export const mostlyReading = words(
  'watch format convert generate render build export map capture verify show scale hide',
);

/** Verbs that detach something that still exists, even if the description says "remove". */
export const detaching = words(
  'detach disconnect unlink unassign clear leave archive hide unset close disable unsubscribe unfollow ungroup unschedule untrash undelete',
);
