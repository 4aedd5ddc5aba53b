/** Offers to let a client that asks about many calls of one tool send them together. */
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useClientName } from '../../components/client-name.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';

export function BatchOffer({ client, isArmed }: { client: string; isArmed: boolean }) {
  const { link, toasts } = useStores();
  const nameOf = useClientName();
  const [isChosen, setIsChosen] = useState(false);
  const choose = (next: boolean) =>
    void toasts.attempt(async () => {
      await link.call('clients.setBatch', { client, enabled: next || null });
      setIsChosen(next);
    });
  return (
    <div>
      <Button
        look="quiet"
        icon={ListChecks}
        aria-pressed={isChosen}
        disabled={!isArmed}
        onClick={() => choose(!isChosen)}
      >
        {t('Let this client send such calls together')}
      </Button>
      <p role="status" className="muted small">
        {isChosen &&
          t('{client} can now send many calls at once. You answer one question about all of them.', {
            client: nameOf(client),
          })}
      </p>
    </div>
  );
}
