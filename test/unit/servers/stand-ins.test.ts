/** The made-up values that a confined server has in place of its secrets. */
import { describe, expect, it } from 'vitest';
import { withStandIns } from '../../../electron/core/servers/sandbox/stand-ins.ts';
import type { Limits } from '../../../electron/core/servers/types.ts';

const auto: Limits = { files: { read: [], write: [] }, network: { allow: [] }, mayReach: async () => true };
const inside = (env: Record<string, string>, limits: Partial<Limits> = {}, args: string[] = []) =>
  withStandIns({ command: 'server', args, cwd: '/', env }, { ...auto, values: Object.values(env), ...limits });

describe('A stand-in', () => {
  it('has the length, the prefix and the marks of the secret', () => {
    const secrets = {
      GITHUB_TOKEN: 'github_pat_11ABCDEFG0123456789abcdefghij',
      LINEAR_API_KEY: 'lin_api_0123456789abcdefghijABCDEFGHIJ',
      FIGMA_API_KEY: 'figd_aB3-x_9zQ2w8E7r6T5y4U3i2O1p0',
      TELEGRAM_TOKEN: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
    };
    const { launch, standIns } = inside(secrets);
    expect(standIns.map(({ name }) => name).sort()).toEqual(Object.keys(secrets).sort());
    const forms = [/^github_pat_\w{29}$/, /^lin_api_\w{30}$/, /^figd_[\w-]{28}$/, /^\d{9}:[\w-]{34}$/];
    for (const [index, [name, real]] of Object.entries(secrets).entries()) {
      expect(launch.env[name]).toMatch(forms[index] ?? /^$/);
      expect(launch.env[name]).toHaveLength(real.length);
      expect(launch.env[name]).not.toBe(real);
    }
    const id = '3f2c1b4a-5d6e-7f80-9a1b-2c3d4e5f6071';
    expect(inside({ EXA_API_KEY: id }).launch.env.EXA_API_KEY).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
    );
    expect(inside({ A_KEY: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' }).launch.env.A_KEY).toMatch(/^[\da-f]{32}$/);
  });

  it('does not show where a secret has which kind of character', () => {
    const real = `ghp_${'aB3-'.repeat(9)}`;
    const kindsAt = Array.from({ length: real.length - 4 }, () => new Set<string>());
    for (let count = 0; count < 200; count += 1) {
      const fake = inside({ GITHUB_TOKEN: real }).launch.env.GITHUB_TOKEN ?? '';
      for (const [at, one] of [...fake.slice(4)].entries())
        kindsAt[at]?.add(/\d/.test(one) ? '0' : /[a-z]/.test(one) ? 'a' : /[A-Z]/.test(one) ? 'A' : '-');
    }
    expect(kindsAt.filter((kinds) => kinds.size < 4)).toEqual([]);
  });

  it('replaces the secret wherever the server would find it', () => {
    const token = 'abcdef0123456789abcdef';
    const { launch } = inside({ A_TOKEN: token, HEADERS: `Bearer ${token}` }, { values: [token] }, [`--key=${token}`]);
    expect(JSON.stringify(launch)).not.toContain(token);
    expect(launch.args).toEqual([`--key=${launch.env.A_TOKEN}`]);
  });
});

describe('A secret that the server has itself', () => {
  const token = 'abcdef0123456789abcdef';
  const reasonFor = (env: Record<string, string>, limits: Partial<Limits> = {}) => inside(env, limits).held[0]?.reason;

  it('is named with the reason', () => {
    expect(reasonFor({ A: token }, { secrets: { A: { hold: true } } })).toBe('the configuration says so');
    expect(reasonFor({ A: token }, { mayReach: undefined })).toBe('the server has no network');
    const offline = { mayReach: undefined, network: { allow: ['a.example'] } };
    expect(reasonFor({ A: token }, offline)).toBe('the configuration names no host that receives it');
    expect(reasonFor({ PIN: '12345678' })).toBe('it is too short to be recognized');
    expect(reasonFor({ KEY: `{"private_key":"${token}"}` })).toContain('not a single word');
    expect(reasonFor({ URL: `postgres://ann:${token}@db/x` }, { values: [token] })).toBe('it is part of an address');
    expect(reasonFor({ AWS_SECRET_ACCESS_KEY: token })).toContain('compute with it');
    for (const name of ['DB_PASSWORD', 'MCP_EMAIL_PASSWORD', 'MY_IMAP_PASS', 'HOME_MQTT_BROKER_PASSWORD'])
      expect(reasonFor({ [name]: token }), name).toContain('not reached by HTTPS');
    for (const name of ['EMAIL_API_KEY', 'MAILGUN_PASSWORD_API'])
      expect(reasonFor({ [name]: token }), name).toBeUndefined();
  });

  it('is replaced if the configuration names its host', () => {
    const { standIns } = inside({ DB_TOKEN: token }, { secrets: { DB_TOKEN: { hosts: ['db.example.com'] } } });
    expect(standIns).toMatchObject([{ name: 'DB_TOKEN', allowed: ['db.example.com'] }]);
  });
});
