/** A link to the program that provides a missing command, such as `uvx`. Renders nothing for an unknown command. */
import { ExternalLink } from 'lucide-react';
import { sourceOf } from '../../shared/program-sources.ts';
import { t } from '../text.tsx';

export function InstallLink({ command }: { command: string }) {
  const [name, url] = sourceOf(command)?.split(' from ') ?? [];
  if (name === undefined || url === undefined) return null;
  return (
    <a className="link-button" href={url} target="_blank" rel="noreferrer">
      {t('Get {program}', { program: name })}
      <ExternalLink className="icon" aria-hidden />
    </a>
  );
}
