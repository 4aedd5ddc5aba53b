/**
 * The additions to the installer for Windows, compiled with electron-builder's own macros. The whole installer needs plug-ins that
 * electron-builder downloads, and only Windows runs it.
 *
 * @module-tag exhaustive
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const additions = join(root, 'build/windows/installer.nsh');
const fromBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const templates = join(dirname(fromBuilder.resolve('app-builder-lib/package.json')), 'templates/nsis');

/** Replaces what electron-builder generates from its flags and messages; its own parts then use our macros. */
const script = `
Unicode true
!addincludedir "${templates}/include"
!include "${additions}"
!define PRODUCT_NAME Toolkeep
!define PRODUCT_FILENAME Toolkeep
!define VERSION 1.0.0
!define APP_ID app.toolkeep.desktop
!include "${templates}/common.nsh"
!include LogicLib.nsh
!include FileFunc.nsh
!insertmacro GetParameters
!insertmacro GetOptions
!macro _isUpdated _a _b _t _f
  !insertmacro _== $CMDLINE "--updated" \`\${_t}\` \`\${_f}\`
!macroend
!define isUpdated \`"" isUpdated ""\`
LangString appRunning 0 "a"
LangString appClosing 0 "b"
LangString appCannotBeClosed 0 "c"
!include "allowOnlyOneInstallerInstance.nsh"
OutFile "OUTPUT"
!ifdef BUILD_UNINSTALLER
  Function un.onInit
    !insertmacro CHECK_APP_RUNNING
  FunctionEnd
  Section
    WriteUninstaller "uninstall.exe"
  SectionEnd
  Section un.Uninstall
    !insertmacro customUnInstall
  SectionEnd
!else
  Var appExe
  Section install
    StrCpy $appExe "$INSTDIR\\\${APP_EXECUTABLE_FILENAME}"
    !insertmacro CHECK_APP_RUNNING
    !insertmacro customInstall
  SectionEnd
!endif
`;

/** Lines that belong to \`name\`. */
function macro(name: string): string {
  const [, body = ''] = new RegExp(`!macro ${name}\\b(.*?)!macroend`, 's').exec(readFileSync(additions, 'utf8')) ?? [];
  return body;
}

describe('The installer for Windows', () => {
  it.each(['installer', 'uninstaller'])('compiles: %s', { tags: ['nsis'] }, (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-nsis-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [file, output] = [join(folder, 'script.nsi'), join(folder, 'Toolkeep.exe')];
    writeFileSync(file, script.replace('OUTPUT', output));
    const defines = kind === 'uninstaller' ? ['-DBUILD_UNINSTALLER'] : [];
    expect(spawnSync('makensis', ['-V2', '-WX', ...defines, file], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
    });
    expect(existsSync(output)).toBe(true);
  });

  it('holds the bridges, and lets the app quit before it ends the remaining processes', () => {
    const body = macro('customCheckAppRunning');
    const order = ['holdBridges', '--quit', '_CHECK_APP_RUNNING'].map((step) => body.indexOf(step));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
  });

  it('leaves the bridges to the installer of an update, which outlives the uninstaller', () => {
    expect(macro('customCheckAppRunning')).toMatch(
      /!ifdef BUILD_UNINSTALLER[^!]*\$\{ifNot\} \$\{isUpdated\}\s+!insertmacro holdBridges\s+\$\{endif\}\s+!else/,
    );
  });

  it('writes the shortcut through which bridges start the app', () => {
    expect(macro('customInstall')).toContain(String.raw`CreateShortCut "$INSTDIR\start.lnk" "$appExe" "--hidden"`);
  });

  it('offers the app for bundles, and leaves the program that opens them', () => {
    const written = [...macro('customInstall').matchAll(/WriteRegStr HKCU "([^"]+)"/g)].map(([, key]) => key);
    expect(written.filter((key) => !key?.startsWith('Software\\Classes\\Toolkeep.mcpb'))).toEqual([
      'Software\\Classes\\.mcpb\\OpenWithProgids',
      'Software\\Classes\\.dxt\\OpenWithProgids',
    ]);
    // `fileAssociations` would also write the default, and the uninstaller would leave it behind.
    const { fileAssociations, win, nsis } = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));
    expect([fileAssociations, win.fileAssociations, nsis.fileAssociations]).toEqual([undefined, undefined, undefined]);
  });

  it('removes what the installer and the app wrote to the registry, but not in an update', () => {
    expect(macro('customUnInstall').trim()).toMatch(/^\$\{ifNot\} \$\{isUpdated\}\s+!insertmacro removeFromRegistry/);
    const desktop = readFileSync(join(root, 'electron/desktop/desktop.ts'), 'utf8');
    const [, activator] = /setToastActivatorCLSID\('(.+)'\)/.exec(desktop) ?? [];
    const removed = macro('removeFromRegistry');
    for (const name of [
      'Classes\\Toolkeep.mcpb"',
      '.mcpb\\OpenWithProgids" "Toolkeep.mcpb"',
      '.dxt\\OpenWithProgids" "Toolkeep.mcpb"',
      'Classes\\toolkeep"',
      'CurrentVersion\\Run" "${APP_ID}"',
      `CLSID\\${activator}"`,
    ])
      expect(removed).toContain(name);
  });

  it('removes the program of the bridges only if the user uninstalls Toolkeep', () => {
    const body = macro('customUnInstall').trim();
    expect(body).toMatch(/^\$\{ifNot\} \$\{isUpdated\}.*Delete "\$R0\\bin\\toolkeep-bridge\*\.exe"\s+\$\{endif\}$/s);
  });
});
