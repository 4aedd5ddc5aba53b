/** The prompts of a server: each can be read, filled in and tried. */
import { MessageSquareText } from 'lucide-react';
import type { PromptView } from '../../../shared/model/prompt.ts';
import { textFrom } from '../../../shared/text-from.ts';
import { type Block, ContentBlock } from '../../components/content-block.tsx';
import { ResultView } from '../../components/result-view.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { t } from '../../text.tsx';
import styles from './offers.module.css';
import { Offer, OfferList } from './offers.tsx';
import { TryOffer } from './try-offer.tsx';

export function ServerPrompts({ server, selected }: { server: string; selected: string | undefined }) {
  const offers = useCommand('prompts.list', ['discovery.completed', 'servers.changed'], { server });
  return (
    <OfferList
      kind="prompts"
      lead={t('Message templates from this server. Clients offer them to you, often as slash commands.')}
      offers={offers}
      textOf={({ name, title, description }) => `${name} ${title ?? ''} ${description ?? ''}`}
    >
      {(prompt) => (
        <Offer
          key={prompt.name}
          icon={MessageSquareText}
          title={prompt.title ?? prompt.name}
          name={prompt.name}
          description={prompt.description}
          by={server}
          held={prompt.held}
          accepts={{ kind: 'prompts', id: prompt.name }}
          end={
            prompt.arguments.length > 0 &&
            t('{count, plural, one {# argument} other {# arguments}}', { count: prompt.arguments.length })
          }
          isOpen={prompt.name === selected}
        >
          <TryPrompt server={server} prompt={prompt} />
        </Offer>
      )}
    </OfferList>
  );
}

function TryPrompt({ server, prompt }: { server: string; prompt: PromptView }) {
  const { link } = useStores();
  return (
    <TryOffer
      action={t('Get prompt')}
      fields={prompt.arguments}
      complete={(argument, others) =>
        link.call('prompts.complete', { server, ref: { prompt: prompt.name }, argument, others })
      }
      send={(values) => link.call('prompts.get', { server, prompt: prompt.name, arguments: values })}
    >
      {(result, note) => <Messages result={result} by={server} note={note} />}
    </TryOffer>
  );
}

interface Message {
  role: string;
  block: Block;
}

function Messages({ result, by, note }: { result: Record<string, unknown>; by: string; note: string }) {
  const messages = messagesOf(result);
  const texts = messages.map(({ block }) => (typeof block.text === 'string' ? block.text : ''));
  return (
    <ResultView result={result} by={by} note={note} text={texts.filter(Boolean).join('\n\n')}>
      {messages.length === 0 && <p className="muted">{t('No messages.')}</p>}
      {messages.map(({ role, block }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no other identity
        <div key={index} className={styles.message}>
          <p className="muted small">
            {role === 'user' ? t('User') : role === 'assistant' ? t('Assistant') : <VisibleText text={role} />}
          </p>
          <ContentBlock block={block} />
        </div>
      ))}
    </ResultView>
  );
}

function messagesOf({ messages }: Record<string, unknown>): Message[] {
  if (!Array.isArray(messages)) return [];
  return messages.map((message) => ({
    role: textFrom(message?.role ?? ''),
    block: (message?.content ?? {}) as Block,
  }));
}
