/** The arguments of a call that the user makes: fields generated from the schema, or JSON. */
import { useMemo, useState } from 'react';
import { toFailure } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { Segments, TextInput } from '../../components/controls.tsx';
import { defaultsOf, formOfSchema, parseValues, valuesOf } from '../../components/schema-form.ts';
import { ValueEditor } from '../../components/value-editor.tsx';
import { t } from '../../text.tsx';

type Arguments = ReturnType<typeof useArguments>;

/** `initial`: the values at first, instead of the schema's defaults. */
export function useArguments(schema: JsonSchema, initial: Record<string, unknown> | undefined) {
  const fields = useMemo(() => formOfSchema(schema), [schema]);
  const [format, setFormat] = useState('form');
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    initial ? valuesOf(fields, initial) : defaultsOf(fields),
  );
  const [json, setJson] = useState('{}');
  const [problems, setProblems] = useState<Record<string, string>>({});

  function changeFormat(next: string): void {
    if (next === 'json') setJson(JSON.stringify(parseValues(fields, values).values, null, 2));
    else {
      const read = readJson(json);
      if (Object.keys(read.problems).length > 0) {
        setProblems(read.problems);
        return;
      }
      setValues(valuesOf(fields, read.values));
    }
    setProblems({});
    setFormat(next);
  }

  /** The values, or undefined after it has shown problems. */
  function read(): Record<string, unknown> | undefined {
    const given = format === 'json' ? readJson(json) : parseValues(fields, values);
    setProblems(given.problems);
    return Object.keys(given.problems).length > 0 ? undefined : given.values;
  }

  return { fields, format, changeFormat, values, setValues, json, setJson, problems, read };
}

export function ArgumentFormat({ input: { format, changeFormat } }: { input: Arguments }) {
  return (
    <Segments
      label={t('Argument format')}
      value={format}
      options={[
        ['form', t('Form')],
        ['json', 'JSON'],
      ]}
      onChange={changeFormat}
    />
  );
}

export function ArgumentFields({ input }: { input: Arguments }) {
  const { fields, format, values, setValues, json, setJson, problems } = input;
  return (
    <>
      {format === 'json' ? (
        <TextInput mono rows={8} label={t('Arguments')} value={json} problem={problems['']} onChange={setJson} />
      ) : (
        fields.map((form) => {
          const { name } = form.field;
          return (
            <ValueEditor
              key={name}
              form={form}
              value={values[name]}
              path={name}
              problems={problems}
              onChange={(value) => setValues({ ...values, [name]: value })}
            />
          );
        })
      )}
      {format === 'form' && fields.length === 0 && <p className="muted">{t('This tool takes no arguments.')}</p>}
    </>
  );
}

function readJson(text: string): { values: Record<string, unknown>; problems: Record<string, string> } {
  try {
    const values: unknown = JSON.parse(text);
    if (isObject(values)) return { values, problems: {} };
    return { values: {}, problems: { '': t("The arguments must be an object: '{…}'.") } };
  } catch (error) {
    return { values: {}, problems: { '': t('Not valid JSON: {message}', { message: toFailure(error).message }) } };
  }
}
