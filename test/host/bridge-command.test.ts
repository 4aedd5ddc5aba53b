/** How clients are told to start the bridge: what stays where it is, under an argument that the package does not add itself (F8). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { bridgeCommand } from '../../electron/host/entry-file.ts';
import { testHost } from '../fixtures/host.ts';

afterEach(() => vi.unstubAllEnvs());

test('from an AppImage it is a copy that stays, and nothing is put in front of it', () => {
  const host = testHost();
  onTestFinished(() => host.dispose());
  vi.stubEnv('APPIMAGE', '/home/me/Gatehouse.AppImage');
  const { command, args } = bridgeCommand(host.dataDir, host.homeDir);
  expect(command).toBe('/home/me/Gatehouse.AppImage');
  // The package's own start script adds `--no-sandbox` in front unless it is there already.
  expect(args).toEqual([join(host.dataDir, 'bin', 'bridge.cjs'), '--no-sandbox']);
  expect(existsSync(args[0] ?? '')).toBe(true);
});

test('otherwise it is the bridge itself on this very binary', () => {
  vi.stubEnv('APPIMAGE', undefined);
  const { command, args } = bridgeCommand('/data', '/home/me');
  expect(command).toBe(process.execPath);
  expect(args).toHaveLength(1);
  expect(args[0]).toMatch(/bridge\.(?:ts|cjs)$/);
});
