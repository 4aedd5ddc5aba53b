/** The actions of a step while there are no servers: add one, browse for one, or continue without. */
import { Compass, Plus } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { hrefOf } from '../../stores/route.ts';
import { t } from '../../text.tsx';

export function NoServersActions({ onAdd, onContinue }: { onAdd(): void; onContinue(): void }) {
  return (
    <>
      <Button look="primary" icon={Plus} onClick={onAdd}>
        {t('Add a server')}
      </Button>
      <a className="button button-plain" href={hrefOf('browse')}>
        <Compass className="icon" aria-hidden />
        {t('Browse servers')}
      </a>
      <Button look="quiet" onClick={onContinue}>
        {t('Continue')}
      </Button>
    </>
  );
}
