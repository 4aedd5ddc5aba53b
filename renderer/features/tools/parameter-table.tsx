/** The properties of a JSON Schema as a list, and the schema itself on request. */
import { useState } from 'react';
import { isObject } from '../../../shared/is-object.ts';
import { anyOf, listOf } from '../../components/format.ts';
import { FoldableText, VisibleText } from '../../components/untrusted-text.tsx';
import { t } from '../../text.tsx';
import styles from './parameter-table.module.css';

type Schema = Record<string, unknown>;

export function ParameterTable({ schema }: { schema: Schema }) {
  const [isRaw, setRaw] = useState(false);
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return (
    <>
      {properties.length === 0 && <p className="muted">{t('None.')}</p>}
      {properties.length > 0 && (
        <dl className={styles.parameters}>
          {properties.map(([name, raw]) => {
            const property = isObject(raw) ? raw : {};
            return (
              <div key={name}>
                <dt>
                  <VisibleText as="code" text={name} />
                  <span className={styles.parameterType}>{typeOf(property)}</span>
                  {required.includes(name) && <span className={styles.parameterRequired}>{t('required')}</span>}
                </dt>
                <dd>
                  {typeof property.description === 'string' && <FoldableText text={property.description} />}
                  {limitsOf(property) && <p className="muted small">{limitsOf(property)}</p>}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      <button type="button" className="link-button" aria-expanded={isRaw} onClick={() => setRaw(!isRaw)}>
        {isRaw ? t('Hide schema') : t('Show schema')}
      </button>
      {isRaw && (
        <div className={styles.raw}>
          <FoldableText mono text={JSON.stringify(schema, null, 2)} />
        </div>
      )}
    </>
  );
}

function typeOf(schema: Schema): string {
  if (Array.isArray(schema.enum)) return t('choice');
  if (schema.type === 'array' && isObject(schema.items)) return t('list of {type}', { type: typeOf(schema.items) });
  if (Array.isArray(schema.type)) return anyOf(schema.type);
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return anyOf(union.map((entry) => (isObject(entry) ? typeOf(entry) : t('any'))));
  return typeof schema.type === 'string' ? schema.type : t('any');
}

function limitsOf(schema: Schema): string {
  const named: [string, string][] = [
    ['default', t('default')],
    ['format', t('format')],
    ['pattern', t('pattern')],
    ['minimum', t('at least')],
    ['maximum', t('at most')],
  ];
  const lengths: [string, (count: number) => string][] = [
    ['minLength', (count) => t('at least {count, plural, one {# character} other {# characters}}', { count })],
    ['maxLength', (count) => t('at most {count, plural, one {# character} other {# characters}}', { count })],
  ];
  const { items } = schema;
  const options = schema.enum ?? (isObject(items) ? items.enum : undefined);
  const choices = Array.isArray(options) ? [listOf(options.map((value) => JSON.stringify(value)))] : [];
  return [
    ...choices,
    ...named
      .filter(([key]) => schema[key] !== undefined)
      .map(([key, word]) => `${word} ${JSON.stringify(schema[key])}`),
    ...lengths.flatMap(([key, text]) => (typeof schema[key] === 'number' ? text(schema[key]) : [])),
  ].join(' · ');
}
