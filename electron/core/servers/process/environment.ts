/**
 * The environment of a server's process: by default a minimal set of variables, so that servers do not get each other's
 * secrets.
 */
import { type Environment, folderSource, type ServerConfig } from '../../../../shared/model/server.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Variables that programs need and that contain no secrets: identity, locale, folders, proxies, certificates, and the
 * roots of version managers. `XDG_RUNTIME_DIR` is omitted, because it leads to the sockets of the desktop session.
 */
const minimalNames = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM
  XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME __CF_USER_TEXT_ENCODING
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
  NVM_DIR NVM_BIN VOLTA_HOME PYENV_ROOT CARGO_HOME RUSTUP_HOME GOPATH GOROOT JAVA_HOME DOTNET_ROOT PNPM_HOME BUN_INSTALL
  SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432
  COMMONPROGRAMFILES ALLUSERSPROFILE PUBLIC USERNAME USERDOMAIN USERPROFILE HOMEDRIVE HOMEPATH TEMP TMP OS NUMBER_OF_PROCESSORS
  PROCESSOR_ARCHITECTURE PROCESSOR_IDENTIFIER`.split(/\s+/),
);
const minimalPrefixes = ['LC_', 'FNM_', 'ASDF_', 'MISE_', 'HOMEBREW_PREFIX', 'HOMEBREW_CELLAR', 'HOMEBREW_REPOSITORY'];

/**
 * Never passed on: our own settings, including those that unlock the vault, and variables that change how Electron
 * runs.
 */
const privateNames = /^(?:TOOLKEEP_|ELECTRON_RUN_AS_NODE$)/i;
/** Settings that Toolkeep needs when another Toolkeep starts it as a server. */
const sharedNames = new Set(['TOOLKEEP_HOME', 'TOOLKEEP_DEPTH']);

/**
 * Clients that start their servers with a minimal environment: Claude Desktop through the MCP SDK
 * (`getDefaultEnvironment`), Codex with its own list (`DEFAULT_ENV_VARS`). All other known clients pass on their whole
 * environment. Files of unknown clients (`custom`) get the minimal one.
 */
const minimalSources = new Set(['claude-desktop', 'codex', 'custom']);

/**
 * The environment that a server gets: the configured one, or else the one that the client it was imported from would
 * use. A server from a folder and a confined one get the minimal one.
 */
export function environmentOf({ connection, sandbox, origins = [] }: ServerConfig): Environment {
  // Anyone who can write to a folder may not choose to get the user's environment.
  if (connection.type !== 'stdio' || origins.some(({ source }) => source === folderSource)) return 'minimal';
  if (connection.environment) return connection.environment;
  if (sandbox) return 'minimal';
  return origins.some(({ source }) => !minimalSources.has(source)) ? 'shell' : 'minimal';
}

/** The variables inherited from `env`, the environment of the login shell. */
export function inheritedEnvironment(env: Env, environment: Environment): Record<string, string> {
  const entries = Object.entries(env).filter(([name, value]) => value !== undefined && isInherited(name, environment));
  return Object.fromEntries(entries) as Record<string, string>;
}

function isInherited(name: string, environment: Environment): boolean {
  if (privateNames.test(name)) return sharedNames.has(name);
  if (environment === 'shell') return true;
  // Windows names are case-insensitive, and proxies are written in lower case, too.
  const upper = name.toUpperCase();
  return minimalNames.has(upper) || minimalPrefixes.some((prefix) => upper.startsWith(prefix));
}
