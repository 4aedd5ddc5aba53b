/** Notes about a server that an import found. A missing command stands out. */
import { Info, TriangleAlert } from 'lucide-react';
import type { ImportEntry } from '../../../shared/model/import.ts';
import { InstallLink } from '../../components/install-link.tsx';
import rowsStyles from '../../components/rows.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { t } from '../../text.tsx';

export function EntryNotes({ entry: { notes, missing, server } }: { entry: ImportEntry }) {
  return notes.map((note) => {
    const Icon = note === missing ? TriangleAlert : Info;
    return (
      <span key={note} className={`${rowsStyles.rowNote} ${note === missing ? 'warn' : 'muted'}`}>
        <Icon className="icon" aria-hidden />
        <span>
          <VisibleText text={note} /> {note === missing && t('It will be imported disabled.')}{' '}
          {note === missing && server.connection.type === 'stdio' && (
            <InstallLink command={server.connection.command} />
          )}
        </span>
      </span>
    );
  });
}
