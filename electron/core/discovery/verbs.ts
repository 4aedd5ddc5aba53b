/** What verbs say about a tool: the table behind `annotate`. One row per kind of effect; the first row that fits decides. */

/** Why a tool is dangerous, or that it only reads or changes something in a bounded way. */
export type Effect =
  | 'destroys'
  | 'overwrites'
  | 'runs code'
  | 'sends'
  | 'spends'
  | 'changes access'
  | 'goes live'
  | 'moves things in the world'
  | 'changes'
  | 'reads';

export interface VerbRow {
  effect: Effect;
  verbs: Set<string>;
  /** Counts only beside one of these words, in the name or the first sentence. */
  only?: Set<string>;
  /** Does not count beside one of these words in the name. */
  except?: Set<string>;
  /** Does not count where the first sentence holds one of these words. */
  exceptSaid?: Set<string>;
  /** Only the name counts: what a description opens with is often praise ("Unlock a world of …"). */
  inName?: boolean;
}

function row(
  effect: Effect,
  verbs: string,
  more: { only?: string; except?: string; exceptSaid?: string; inName?: boolean } = {},
): VerbRow {
  const { only, except, exceptSaid, inName } = more;
  return {
    effect,
    verbs: words(verbs),
    ...(only !== undefined && { only: words(only) }),
    ...(except !== undefined && { except: words(except) }),
    ...(exceptSaid !== undefined && { exceptSaid: words(exceptSaid) }),
    ...(inName !== undefined && { inName }),
  };
}

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Objects that are only values passing through: removing white space from a text loses nothing. */
const passing =
  'background whitespace noise stopwords watermark text html markdown string duplicates punctuation accents format formatting';

export const verbRows: VerbRow[] = [
  row('destroys', 'delete remove drop erase wipe truncate unlink trash del', { except: `${passing} drag` }),
  row('destroys', 'destroy purge prune shred discard drain uninstall rmdir rm flush flushall flushdb empty'),
  row('destroys', 'clean cleanup', { except: passing }),
  row('destroys', 'clear', {
    except: `${passing} cache console selection session canvas filter filters screen logs highlights`,
  }),
  row('destroys', 'kill terminate shutdown reboot poweroff rollback'),
  row('destroys', 'reset', {
    only: 'hard password branch database db account all factory device data credentials throw lost erase discard',
  }),
  row('destroys', 'restore', { only: 'backup database snapshot' }),
  row('destroys', 'format', { only: 'disk drive volume partition device' }),
  row('destroys', 'merge', { only: 'pull request mr pr branch duplicates contacts accounts customers' }),
  row('destroys', 'cancel', {
    only: 'subscription reservation booking order flight appointment meeting membership account policy event invoice transaction',
  }),
  row('destroys', 'move archive', { only: 'bin trash' }),
  row('overwrites', 'overwrite'),
  row('overwrites', 'write', {
    only: 'file files config configuration disk overwrite overwrites',
    except: 'image metadata note memory',
  }),
  row('runs code', 'execute exec eval', { except: 'expression calculation formula math search' }),
  row('runs code', 'evaluate', { only: 'javascript js script code function console python page browser' }),
  row('runs code', 'run', {
    except:
      'test tests query report audit search analysis simulation check checks scan model calculation regression algorithm',
  }),
  row('runs code', 'start spawn launch create interact open new', {
    only: 'process shell terminal container command repl',
  }),
  row('runs code', 'install'),
  row('sends', 'send', { except: 'keys key keystrokes', exceptSaid: 'request url' }),
  row('sends', 'post reply share publish tweet broadcast retweet email dm sms invite'),
  row('sends', 'upload', { only: 'page form website public' }),
  row('sends', 'forward', { only: 'email emails message messages mail' }),
  row('sends', 'make place start call dial', { only: 'call phone' }),
  row('spends', 'pay buy sell purchase refund transfer withdraw donate trade bid charge book rent payout invest', {
    except: 'get',
  }),
  row('spends', 'checkout', { except: 'git branch commit revision repo' }),
  row('spends', 'order place submit create', {
    only: 'order orders refund payment payments payout charge transfer booking reservation trade purchase',
    except: 'link intent sort',
  }),
  row('spends', 'make process initiate complete', { only: 'payment payments' }),
  row('spends', 'launch start activate resume', { only: 'campaign campaigns ad ads' }),
  row('changes access', 'grant revoke unprotect rotate ban unban kick suspend impersonate authorize'),
  row('changes access', 'unlock elevate', { inName: true }),
  row('changes access', 'attach create add set update put remove change assign', {
    only: 'policy permission permissions acl role roles access credentials password passwords apikey collaborator member',
    except: 'template document note',
    inName: true,
  }),
  row('changes access', 'generate', { only: 'access apikey credentials', inName: true }),
  row('changes access', 'set update change', { only: 'config configuration allowlist firewall' }),
  row('changes access', 'disable turn', { only: 'user account security mfa firewall protection 2fa' }),
  row('goes live', 'deploy release promote migrate undeploy'),
  row('goes live', 'apply', {
    only: 'migration migrations manifest terraform kubectl infrastructure cluster plan production',
  }),
  row('goes live', 'push', { only: 'remote origin force git image registry' }),
  row('moves things in the world', 'open close activate', { only: 'garage door gate lock valve' }),
  row(
    'changes',
    `create add insert append edit update modify set put patch write save upload download import copy duplicate clone fork move
     rename replace merge apply push commit stage checkout switch start stop restart pause resume cancel close open mark
     assign unassign enable disable schedule sync upsert send store record register submit approve reject complete resolve
     transition draft archive restore revert reset clear click fill type press hover select scroll drag navigate go handle
     dismiss new make play skip seek begin end finalize init initialize setup configure manage populate customize optimize
     renew refresh forward attach detach link unlink subscribe unsubscribe follow unfollow like star upvote react annotate
     reply trigger retry train turn toggle increment expire scale forward stash unstage focus resize emulate wait request
     give interact run evaluate bookmark pin tag label protect unarchive index join leave sign login logout connect
     disconnect mount unmount change take`,
    { except: '' },
  ),
  row(
    'reads',
    `get list read search find show fetch describe check query view lookup look count explain inspect peek retrieve analyze
     analyse calculate compute compare validate verify diff summarize summarise extract return report export predict
     estimate convert parse translate generate recommend suggest plan think detect identify determine browse display
     preview print tell provide aggregate sample scan status info help log trace monitor track resolve reverse geocode
     ping whois audit test lint measure load transcribe render visualize visualise draw build simulate discover explore
     locate scrape crawl capture screenshot select take access gather collect obtain pull poll watch review assess
     evaluate screen filter sort match score rank classify split format clean transform encode decode hash solve roll flip
     shuffle pick choose random provides looksup`,
  ),
];

/** The effects that make a tool dangerous, and how the reason begins. */
export const dangerousEffects = new Set<Effect>([
  'destroys',
  'overwrites',
  'runs code',
  'sends',
  'spends',
  'changes access',
  'goes live',
  'moves things in the world',
]);

/** At the end of a name these say that it reads, whatever noun stands before: `tag_list`, `package_search`. */
export const readingEnds = words('list search find show info status details lookup docs stats history check get tool');

/** Verbs that are as often nouns: `order_status_check`, `book.find`. */
export const alsoNouns = words(
  `book order post email trade charge share transfer purchase bid rent call message run tag play record index label star draft request pin
   like open log scan`,
);

/** Signs in languages that do not separate words by spaces, looked for where a description begins. */
export const signs: [effect: Effect, sign: string][] = [
  ...['删除', '移除', '清空', '清除', '销毁', '终止', '卸载', '削除', '삭제'].map(
    (sign) => ['destroys', sign] as [Effect, string],
  ),
  ...['覆盖', '覆写'].map((sign) => ['overwrites', sign] as [Effect, string]),
  ...['执行命令', '执行脚本', '执行代码', '运行命令', '运行代码', '実行する'].map(
    (sign) => ['runs code', sign] as [Effect, string],
  ),
  ...['发送邮件', '发送消息', '发布', '送信', '보내기'].map((sign) => ['sends', sign] as [Effect, string]),
  ...['支付', '付款', '转账', '下单', '购买'].map((sign) => ['spends', sign] as [Effect, string]),
  ...['部署'].map((sign) => ['goes live', sign] as [Effect, string]),
  ...['获取', '查询', '搜索', '读取', '列出', '返回', '分析', '計算', '取得', '検索'].map(
    (sign) => ['reads', sign] as [Effect, string],
  ),
];
