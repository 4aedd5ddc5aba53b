/** The resources and resource templates of a server, each with its content. */
import { FileText, FolderTree } from 'lucide-react';
import type { ResourceTemplateView, ResourceView } from '../../../shared/model/prompt.ts';
import { textFrom } from '../../../shared/text-from.ts';
import { expandTemplate, templateVariables } from '../../../shared/uri-template.ts';
import { type Block, ResourceContent } from '../../components/content-block.tsx';
import { CopyButton } from '../../components/copy-block.tsx';
import { dotted, number } from '../../components/format.ts';
import { ResultView } from '../../components/result-view.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { t } from '../../text.tsx';
import styles from './offers.module.css';
import { Offer, OfferList } from './offers.tsx';
import { TryOffer } from './try-offer.tsx';

type Item = { resource: ResourceView } | { template: ResourceTemplateView };

export function ServerResources({ server, selected }: { server: string; selected: string | undefined }) {
  const { data, failure } = useCommand('resources.list', ['discovery.completed', 'servers.changed'], { server });
  const items = data && [
    ...data.resources.map((resource): Item => ({ resource })),
    ...data.templates.map((template): Item => ({ template })),
  ];
  return (
    <OfferList
      kind="resources"
      lead={t('Files and other data that clients can read from this server.')}
      offers={{ data: items, failure }}
      textOf={(item) => {
        const { name, title, description } = 'resource' in item ? item.resource : item.template;
        return `${name} ${title ?? ''} ${description ?? ''} ${addressOf(item)}`;
      }}
    >
      {(item) => {
        const shown = 'resource' in item ? item.resource : item.template;
        const size = 'resource' in item && item.resource.size !== undefined ? bytes(item.resource.size) : '';
        return (
          <Offer
            key={addressOf(item)}
            icon={'resource' in item ? FileText : FolderTree}
            title={shown.title ?? shown.name}
            name={addressOf(item)}
            description={shown.description}
            by={server}
            held={shown.held}
            accepts={{ kind: 'resource' in item ? 'resources' : 'resourceTemplates', id: addressOf(item) }}
            end={dotted(['template' in item && t('Template'), shown.mimeType, size])}
            isOpen={addressOf(item) === selected}
          >
            {'resource' in item ? (
              <ReadResource server={server} resource={item.resource} />
            ) : (
              <ReadTemplate server={server} template={item.template} />
            )}
          </Offer>
        );
      }}
    </OfferList>
  );
}

const addressOf = (item: Item) => ('resource' in item ? item.resource.uri : item.template.uriTemplate);

function ReadResource({ server, resource: { uri } }: { server: string; resource: ResourceView }) {
  const { link } = useStores();
  return (
    <TryOffer
      action={t('Read')}
      fields={[]}
      send={() => link.call('resources.read', { server, uri })}
      aside={<CopyButton text={uri} label={t('Copy URI')} />}
    >
      {(result, note) => <Contents result={result} by={server} note={note} />}
    </TryOffer>
  );
}

function ReadTemplate({ server, template: { uriTemplate } }: { server: string; template: ResourceTemplateView }) {
  const { link } = useStores();
  return (
    <TryOffer
      action={t('Read')}
      fields={templateVariables(uriTemplate)}
      complete={(argument, others) => link.call('prompts.complete', { server, ref: { uriTemplate }, argument, others })}
      send={(values) => link.call('resources.read', { server, uri: expandTemplate(uriTemplate, values) })}
      preview={(values) => (
        <VisibleText as="p" className={`${styles.preview} mono small`} text={expandTemplate(uriTemplate, values)} />
      )}
    >
      {(result, note) => <Contents result={result} by={server} note={note} />}
    </TryOffer>
  );
}

function Contents({ result, by, note }: { result: Record<string, unknown>; by: string; note: string }) {
  const contents = Array.isArray(result.contents) ? (result.contents as Block[]) : [];
  const texts = contents.map(({ text }) => (typeof text === 'string' ? text : ''));
  return (
    <ResultView result={result} by={by} note={note} text={texts.filter(Boolean).join('\n')}>
      {contents.length === 0 && <p className="muted">{t('No content.')}</p>}
      {contents.map((content, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a folder has several contents, perhaps with equal URIs
        <div key={index}>
          {contents.length > 1 && (
            <VisibleText as="p" className="muted small mono" text={textFrom(content.uri ?? '')} />
          )}
          <ResourceContent resource={content} />
        </div>
      ))}
    </ResultView>
  );
}

const units = ['B', 'KB', 'MB', 'GB'];

function bytes(size: number): string {
  const unit = Math.min(Math.floor(Math.log2(Math.max(1, size)) / 10), units.length - 1);
  return `${number(size / 1024 ** unit)} ${units[unit]}`;
}
