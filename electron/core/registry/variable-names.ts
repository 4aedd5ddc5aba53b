/** The names of the environment variables that an entry or a bundle may set. */
import { Refused } from './launch.ts';

/** Variables that decide which program runs, which code it loads, or from where it is downloaded. */
const steering = [
  /^(?:PATH|PATHEXT|COMSPEC|SHELL|BASH_ENV|ENV|SYSTEMROOT|WINDIR|PREFIX|CC|CXX|PKG_CONFIG|GCONV_PATH)$/i,
  /^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA|(?:https?|all|no|ftp)_proxy)$/i,
  /^(?:XDG|LD|DYLD|ELECTRON|NPM|COREPACK|UV|PIP|CGO|DOCKER|DOTNET|NUGET|CORECLR|COMPLUS|GIT|OPENSSL|SSL_CERT)_/i,
  /^NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|USE_)/i,
  /^PYTHON(?:PATH|HOME|STARTUP|USERBASE|EXECUTABLE)$/i,
  /^GO(?:PROXY|FLAGS|SUMDB|NOSUMDB|NOPROXY|PRIVATE|INSECURE|TOOLCHAIN|ENV|ROOT|PATH|BIN|WORK|VCS|AUTH|MODCACHE|CACHE)$/i,
  /^MSBUILD/i,
];

/** Throws `Refused` for a name that is malformed, or that would turn the checked command into another one. */
export function checkVariableName(name: string): void {
  if (!/^[A-Za-z_][\w.()-]{0,200}$/.test(name)) throw new Refused(`"${name}" cannot be the name of a variable.`);
  if (steering.some((pattern) => pattern.test(name)))
    throw new Refused(`The variable "${name}" would change which program runs, or from where it is downloaded.`);
}
