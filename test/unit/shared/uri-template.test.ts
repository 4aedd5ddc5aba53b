import { describe, expect, it } from 'vitest';
import { expandTemplate, templateVariables } from '../../../shared/uri-template.ts';

const values = { path: 'a b/c', q: 'x&y', id: '7', empty: '' };

describe('A URI template', () => {
  it.each([
    ['log://{id}', 'log://7'],
    ['file:///{path}', 'file:///a%20b%2Fc'],
    ['file:///{+path}', 'file:///a%20b/c'],
    ['repo://{/id,path}', 'repo:///7/a%20b%2Fc'],
    ['x://s{?q,id}', 'x://s?q=x%26y&id=7'],
    ['x://s?a=1{&id,empty}', 'x://s?a=1&id=7'],
    ['x://{id}{.q}{#id}', 'x://7.x%26y#7'],
    ['x://{id:3}{path*}', 'x://7a%20b%2Fc'],
    ['x://{missing}end{?missing}', 'x://end'],
    ['x://{__proto__}', 'x://'],
  ])('%s becomes %s', (template, uri) => {
    expect(expandTemplate(template, values)).toBe(uri);
  });

  it('lists each variable once, and variables of the query as optional', () => {
    expect(templateVariables('x://{id}/{+path*}{?id,q:3}')).toEqual([
      { name: 'id', required: true },
      { name: 'path', required: true },
      { name: 'q', required: false },
    ]);
  });
});
