/** The part of the sample Core for trusted folders: one that is in use, and one whose review has every kind of item. */
import type { TrustedFolderView, TrustReview } from '../../../shared/model/trust.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { SampleCore } from './sample-core.ts';

type Handlers = Pick<CommandHandlers, 'trust.list' | 'trust.review' | 'trust.save' | 'trust.revoke' | 'trust.restore'>;

interface Given {
  isEmpty: boolean;
  now: number;
  emit: SampleCore['emit'];
}

export const untrustedFolder = { path: '/home/ada/src/shop', file: '/home/ada/src/shop/.toolkeep/config.yaml' };

export function createSampleFolders({ isEmpty, now, emit }: Given): Handlers {
  const all = isEmpty ? [] : [sampleFolder(now)];
  let trusted = all;
  function changeTo(folders: TrustedFolderView[]): void {
    trusted = folders;
    emit('config.changed', { problems: [] });
  }
  return {
    'trust.list': () => trusted,
    'trust.review': ({ folder }) => (folder === untrustedFolder.path ? sampleReview : { ...nothingFound, folder }),
    'trust.save': () => undefined,
    'trust.revoke': () => changeTo([]),
    'trust.restore': () => changeTo(all),
  };
}

const sampleFolder = (now: number): TrustedFolderView => ({
  folder: '/home/ada/work/billing',
  file: '/home/ada/work/billing/.toolkeep/config.json',
  files: 3,
  state: 'active',
  accepted: ['toolRules[1].confirm'],
  adds: [
    'server "ledger": npx -y @acme/ledger-mcp@2.1.0 (environment: minimal, LEDGER_URL; in /home/ada/work/billing)',
  ],
  stricter: ['toolRules[0]: always asks (tools *refund*)'],
  loosens: ['toolRules[1].confirm: never asks (tools list_* of server ledger)'],
  trustedAt: now - 20 * 86_400_000,
});

const nothingFound: TrustReview = {
  folder: '',
  status: 'none',
  files: [],
  isCode: false,
  codeHash: '',
  hash: '',
  accepted: [],
  problems: [],
};

const sampleReview: TrustReview = {
  ...nothingFound,
  folder: untrustedFolder.path,
  status: 'untrusted',
  file: untrustedFolder.file,
  files: [
    { path: '.toolkeep/config.yaml', hash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' },
    { path: 'tools/inventory.mjs', hash: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9' },
  ],
  codeHash: 'h',
  hash: 'h',
  effects: {
    adds: [
      'server "inventory": node tools/inventory.mjs --verbose (environment: minimal, DB_URL; in /home/ada/src/shop)',
    ],
    stricter: ['toolRules[0]: disables (tools *drop*)'],
    loosens: [
      { id: 'approvals.mode', text: 'approvals.mode: "never" (yours: "ask")' },
      { id: 'toolRules[1].confirm', text: 'toolRules[1].confirm: never asks (every tool)' },
    ],
    ignored: ['history.months: a folder cannot set this'],
  },
};
