/** The settings with which a server starts: its environment or headers, with redacted secrets, and its limits. */
import { useEffect, useState } from 'react';
import { replaceHiddenSecrets } from '../../../shared/hidden-secret.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { duration } from '../../components/format.ts';
import { Facts, Section } from '../../components/page.tsx';
import { Path } from '../../components/path.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';

export function EnvironmentSection({ server }: { server: string }) {
  const { link } = useStores();
  const [config, setConfig] = useState<ServerConfig>();
  useEffect(() => {
    const load = () =>
      link.call('servers.config', { server }).then(setConfig, () => {
        // A server from a config file has no settings here.
        setConfig(undefined);
      });
    return link.onOpen(() => void load());
  }, [link, server]);
  if (!config) return null;
  const { connection, lifecycle = {} } = config;
  const isLocal = connection.type === 'stdio';
  const variables = Object.entries(isLocal ? connection.env : connection.headers);
  const { timeoutMs, idleTimeoutMs } = lifecycle;
  const facts = [
    ...variables.map(([name, value]) => [name, <Value key={name} text={value} />] as const),
    [t('Working folder'), isLocal && connection.cwd && <Path key="cwd" path={connection.cwd} />],
    [t('Environment file'), isLocal && connection.envFile && <Path key="file" path={connection.envFile} />],
    [t('Call timeout'), timeoutMs !== undefined && duration(timeoutMs)],
    [
      t('Stops when idle for'),
      idleTimeoutMs !== undefined && (idleTimeoutMs === 0 ? t('never') : duration(idleTimeoutMs)),
    ],
  ] as const;
  if (facts.every(([, value]) => !value)) return null;
  return (
    <Section title={isLocal ? t('Environment') : t('Headers')}>
      <Facts facts={facts} />
    </Section>
  );
}

function Value({ text }: { text: string }) {
  return <VisibleText as="code" text={replaceHiddenSecrets(text, () => '••••••')} />;
}
