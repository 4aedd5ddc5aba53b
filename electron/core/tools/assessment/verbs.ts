/** The effects that English verbs imply, one row per effect. The first matching row decides. */

/** The reason why a tool is dangerous, or that it reads or makes ordinary changes. */
export type Effect =
  | 'destroys'
  | 'overwrites'
  | 'runs code'
  | 'sends'
  | 'spends'
  | 'changes access'
  | 'reveals secrets'
  | 'misleads'
  | 'goes live'
  | 'moves things in the world'
  | 'changes'
  | 'reads';

export interface VerbRow {
  effect: Effect;
  verbs: Set<string>;
  /** Counts only together with one of these words in the name or first sentence. */
  only?: Set<string>;
  /** Does not count together with one of these words in the name. */
  except?: Set<string>;
  /** Does not count if the first sentence contains one of these words. */
  exceptSaid?: Set<string>;
  /**
   * Does not count if the name continues with "from" and one of these words: something removed from a group still
   * exists.
   */
  outOf?: Set<string>;
  /** Counts only in the name, because descriptions often begin with promotional text ("Unlock a world of …"). */
  inName?: boolean;
}

function row(
  effect: Effect,
  verbs: string,
  more: { only?: string; except?: string; exceptSaid?: string; outOf?: string; inName?: boolean } = {},
): VerbRow {
  const { only, except, exceptSaid, outOf, inName } = more;
  return {
    effect,
    verbs: words(verbs),
    ...(only !== undefined && { only: words(only) }),
    ...(except !== undefined && { except: words(except) }),
    ...(exceptSaid !== undefined && { exceptSaid: words(exceptSaid) }),
    ...(outOf !== undefined && { outOf: words(outOf) }),
    ...(inName !== undefined && { inName }),
  };
}

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Values that a tool only processes: removing white space from a string loses nothing. */
const passing =
  'background whitespace noise stopwords watermark text html markdown string duplicates punctuation accents format formatting';

export const verbRows: VerbRow[] = [
  row('destroys', 'delete drop erase wipe truncate unlink trash del', {
    except: `${passing} drag browser watching reaction`,
  }),
  row('destroys', 'remove', {
    except: `${passing} tag tags label labels reaction relation related association associations watcher favorite star`,
    outOf:
      'segment list tag label card task issue ticket playlist project board cart collection favorites sprint milestone watchlist section category album',
  }),
  row('destroys', 'purge', { except: 'cache' }),
  row('destroys', 'uninstall', { except: 'ssl certificate' }),
  row('destroys', 'destroy prune shred discard drain rmdir rm flush flushall flushdb empty'),
  row('destroys', 'clean cleanup', { except: passing, exceptSaid: 'build' }),
  row('destroys', 'clear', {
    except: `${passing} presence status cache console selection session canvas filter filters screen logs highlights field fields input`,
    exceptSaid: 'session setting field input',
  }),
  row('destroys', 'terminate', { except: 'app' }),
  row('destroys', 'kill shutdown reboot poweroff rollback nuke teardown vacuum obliterate zap rmrf regenerate'),
  row('destroys', 'reset', {
    only: 'git hard password branch database db account all factory device data credentials throw lost erase discard',
  }),
  row('destroys', 'restore', { only: 'backup database snapshot' }),
  row('destroys', 'rebase anonymize deprovision evict cordon failover'),
  row('destroys', 'void', { only: 'invoice payment transaction order' }),
  row('destroys', 'revert', { only: 'deployment release production' }),
  row('destroys', 'alter', { only: 'table tables schema column database' }),
  row('destroys', 'detach', { only: 'volume disk' }),
  row('destroys', 'checkout switch', { only: 'restore discard' }),
  row('destroys', 'format', { only: 'disk drive volume partition device' }),
  row('destroys', 'merge', { only: 'pull request mr pr branch duplicates contacts accounts customers' }),
  row('destroys', 'cancel', {
    only: 'subscription reservation booking order flight appointment meeting membership account policy event invoice transaction',
  }),
  row('destroys', 'move archive', { only: 'bin trash' }),
  row('overwrites', 'overwrite'),
  row('overwrites', 'put', { inName: true, except: 'test browser' }),
  row('overwrites', 'replace', { only: 'contents entire file object collection environment', inName: true }),
  row('overwrites', 'set bulk', { only: 'env secret secrets', inName: true }),
  row('overwrites', 'update', { only: 'records rows', inName: true }),
  row('overwrites', 'push', { only: 'schema perms permissions rules production' }),
  row('overwrites', 'write', {
    only: 'file files config configuration disk sheet overwrite overwrites',
    except: 'image metadata note memory',
  }),
  row('runs code', 'execute exec eval', {
    except: 'expression calculation formula math search',
    exceptSaid: 'query queries',
  }),
  row('runs code', 'evaluate', { only: 'javascript js script code function console python page browser' }),
  row('runs code', 'run rerun', {
    except:
      'test tests query report audit search analysis simulation check checks scan model calculation regression algorithm',
    inName: true,
  }),
  row('runs code', 'run runs', {
    only: 'command commands script scripts code sql shell program bash javascript python arbitrary container',
    exceptSaid: 'generate analyze analysis report',
  }),
  row('runs code', 'start spawn launch create interact open new', {
    only: 'process shell terminal container command repl',
  }),
  row('runs code', 'install', { except: 'ssl certificate app', exceptSaid: 'instructions ssl' }),
  row('runs code', 'ssh sudo sh bash python terminal repl powershell', { inName: true }),
  row('sends', 'send', { except: 'keys key keystrokes input request feedback prompt', inName: true }),
  row('sends', 'send', {
    except: 'keys key keystrokes input',
    exceptSaid: 'request url prompt feedback archive trash bin',
  }),
  row('sends', 'create update accept decline respond', {
    only: 'event events invitation',
    except: 'webhook log draft',
    inName: true,
  }),
  row('sends', 'update edit', { only: 'message', except: 'draft mail mailbox template commit', inName: true }),
  row('changes access', 'create add update', { only: 'rule share sharing owner', inName: true }),
  row('sends', 'push', { only: 'message messages notification notifications' }),
  row('sends', 'create add', {
    only: 'forwarder invitation invitations invite message comment_reply post tweet',
    except: 'draft template script',
    inName: true,
  }),
  row('sends', 'notify mention escalate dial', { inName: true }),
  row('sends', 'schedule', { only: 'post posts tweet email emails', inName: true }),
  row('sends', 'respond', { only: 'review reviews', inName: true }),
  row('changes', 'post', { only: 'api catalog discovery', inName: true }),
  row('changes', 'reply', { only: 'comment comments discussion note', except: 'message email mail', inName: true }),
  row('sends', 'reply share publish post tweet unpublish broadcast retweet email dm sms invite reinvite'),
  row('sends', 'resend', { except: 'confirmation confirmations' }),
  row('sends', 'upload', { only: 'page form website public browser' }),
  row('sends', 'forward', { only: 'email emails message messages mail' }),
  row('sends', 'make place start dial', { only: 'call phone' }),
  row('sends', 'call', { only: 'phone' }),
  row('destroys', 'close', { only: 'account' }),
  row('destroys', 'mutate'),
  row('spends', 'pay buy sell purchase refund withdraw donate trade bid charge book rent payout invest', {
    except: 'get collection folders requests responses files',
  }),
  row('spends', 'transfer', {
    except:
      'get collection folders requests responses files issue issues task tasks ticket tickets card cards story stories',
  }),
  row('spends', 'stake unstake mint liquidate redeem borrow repay topup', { inName: true }),
  row('spends', 'capture', { only: 'payment payments charge charges' }),
  row('spends', 'register renew', { only: 'domain domains', inName: true }),
  row('spends', 'add', { only: 'funds credits balance', inName: true }),
  row('spends', 'open close', { only: 'position positions', inName: true }),
  row('spends', 'checkout', { except: 'git branch commit revision repo' }),
  row('spends', 'order place submit create', {
    only: 'order orders refund payment payments payout charge transfer booking reservation trade purchase',
    except: 'link intent sort',
    inName: true,
  }),
  row('spends', 'upgrade downgrade swap finalize', { only: 'plan subscription tier invoice token tokens swap' }),
  row('spends', 'update change set', {
    only: 'subscription payment billing dispute',
    except: 'mail message calendar',
    inName: true,
  }),
  row('spends', 'create', { only: 'predictions trainings deployments', inName: true }),
  row('spends', 'create', {
    only: 'instance instances vm vms cluster clusters droplet volume',
    except: 'component',
    inName: true,
  }),
  row('spends', 'provision', { inName: true }),
  row('spends', 'make process initiate complete', { only: 'payment payments' }),
  row('spends', 'launch start activate resume', { only: 'campaign campaigns ad ads' }),
  row('changes access', 'block expel offboard demote lock', {
    only: 'user users account accounts member members employee',
    inName: true,
  }),
  row('changes access', 'enroll unenroll', { only: 'device devices' }),
  row('changes access', 'expose open', { only: 'port ports firewall', inName: true }),
  row('changes access', 'whitelist bypass override', { inName: true }),
  row('changes access', 'chmod chown sign', { except: 'in out up off', inName: true }),
  row('changes access', 'grant revoke unprotect rotate ban unban kick suspend impersonate authorize'),
  row('changes access', 'unlock elevate', { inName: true }),
  row('changes access', 'attach create add set update put remove change assign', {
    only: 'policy permission permissions acl role roles access credentials password passwords apikey collaborator member members membership memberships delegation delegations',
    except: 'template document note request card task issue ticket item',
    inName: true,
  }),
  row('changes access', 'create add attach register', {
    only: 'ssh publickey token pat apikey login remote key rule',
    except: 'design keyword keyframe session git mail',
    inName: true,
  }),
  row('changes access', 'update replace', { only: 'ssh publickey apikey pat', inName: true }),
  row('changes access', 'approve deny accept reject confirm restore import reinvite', {
    only: 'access authorization device login member members membership user users',
    inName: true,
  }),
  row('changes access', 'approve deny reject confirm', {
    only: 'authorization device invited member members membership',
  }),
  row('changes access', 'create move', { only: 'share sharing' }),
  row('changes access', 'deactivate', { only: 'firewall user account mfa protection security' }),
  row('changes access', 'make', { only: 'public' }),
  row('goes live', 'start initiate', { only: 'recovery move outgoing', inName: true }),
  row('goes live', 'restart reset', { only: 'vm machine server instance host cluster production', inName: true }),
  row('goes live', 'stop', {
    only: 'vm vms machine instance host cluster production environment environments application applications service services database databases container containers server servers',
  }),
  row('goes live', 'stop pause disable', { only: 'all every' }),
  row('goes live', 'trigger retry dispatch', {
    only: 'pipeline pipelines workflow build builds deployment dag webhook',
    inName: true,
  }),
  row('goes live', 'create', {
    only: 'pipeline deployment',
    except: 'schedule variable trigger definition template',
    inName: true,
  }),
  row('goes live', 'mute', { only: 'host monitor alert alerts' }),
  row('goes live', 'schedule', { only: 'downtime' }),
  row('goes live', 'sync play scale', {
    only: 'application app pipeline job jobs ps deployment replicas resources',
    inName: true,
  }),
  row('goes live', 'create update', { only: 'route dns', inName: true }),
  row('changes access', 'generate reissue', {
    only: 'access apikey key keys token tokens credentials certificate',
    inName: true,
  }),
  row('changes access', 'set update change', { only: 'config configuration', inName: true }),
  row('changes access', 'set update change', { only: 'allowlist firewall' }),
  row('changes access', 'disable turn', { only: 'user account security mfa firewall protection 2fa' }),
  row('goes live', 'release', { except: 'device' }),
  row('goes live', 'go', { only: 'live' }),
  row('goes live', 'invoke', { only: 'lambda function functions' }),
  row('goes live', 'hibernate', { inName: true }),
  row('goes live', 'bind unbind', { only: 'domain domains' }),
  row('goes live', 'set add', { only: 'nameserver nameservers dns', inName: true }),
  row('goes live', 'deploy promote migrate undeploy redeploy'),
  row('goes live', 'apply', {
    only: 'migration migrations manifest terraform kubectl infrastructure cluster plan production',
  }),
  row('goes live', 'push', { only: 'remote origin force git image registry' }),
  row('moves things in the world', 'open close activate', { only: 'garage door gate lock valve' }),
  row('moves things in the world', 'arm disarm dispense', { inName: true }),
  row('moves things in the world', 'move set toggle turn start', {
    only: 'robot relay valve motor heater pump oven',
    inName: true,
  }),
  row(
    'changes',
    `create add insert append edit update modify set put patch write save upload download import copy duplicate clone fork move
     rename replace merge apply push commit stage checkout switch start stop restart pause resume cancel close open mark
     assign unassign enable disable schedule sync upsert send store record register submit approve reject complete resolve
     transition draft archive restore revert reset clear click fill type press hover select scroll drag navigate go handle
     dismiss new make play skip seek begin end finalize init initialize setup configure manage populate customize optimize
     renew refresh forward attach detach link unlink subscribe unsubscribe follow unfollow like star upvote react annotate
     reply trigger retry train turn toggle increment expire scale forward stash unstage focus resize emulate wait request
     give interact run evaluate undo redo unapprove unresolve unsubscribe unschedule unmute unhide unblock unignore unmark unset unshare detach bookmark pin tag label protect unarchive index join leave sign login logout connect
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
     evaluate screen filter sort match score rank classify split format clean transform encode decode hash solve roll flip
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
 * Words at the end of a name that mean that the tool reads, whatever noun comes first: `tag_list`, `package_search`.
 */
export const readingEnds = words(
  'list search find show info status details lookup docs stats history check get tool reader readers',
);

/** Verbs at the end of a name that mean that the tool acts: `pull_request_write`. */
export const actingEnds = words('write writer updater create update delete remove put set send add merge');

/** Verbs that are also common nouns: `order_status_check`, `book.find`. */
export const alsoNouns = words(
  `book order post email trade charge share transfer purchase bid rent call message run tag play record index label star draft request pin
   like open log scan reply email share post sms message pull test plan match draw build screen sample view deploy release mail comment monitor undo`,
);

/** Verbs that read in most names and act in some; the description decides. */
export const mostlyReading = words(
  'watch format convert generate render build export map capture verify show scale hide',
);

/** Verbs for changes that a description explains with "remove". They detach something that still exists. */
export const detaching = words(
  'detach disconnect unlink unassign clear leave archive hide unset close disable unsubscribe unfollow ungroup unschedule',
);
