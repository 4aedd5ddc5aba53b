/** Checks the names of the environment variables that an entry or a bundle sets. */
import { Refused } from './launch.ts';

const steering = [
  /^(?:PATH|PATHEXT|COMSPEC|SHELL|BASH_ENV|ENV|IFS|SYSTEMROOT|WINDIR|PREFIX|CC|CXX|FC|AR|PKG_CONFIG(?:_PATH)?)$/i,
  /^(?:HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|(?:https?|all|no|ftp)_proxy)$/i,
  /^(?:BROWSER|EDITOR|VISUAL|PAGER|PROMPT_COMMAND|PS4|PSMODULEPATH|(?:SSH|SUDO)_ASKPASS|GCONV_PATH|GLIBC_TUNABLES)$/i,
  /^(?:XDG|LD|DYLD|ELECTRON|NPM|PNPM|YARN|BUN|COREPACK|UV|PIP|CONDA|CGO|DOCKER|DOTNET|NUGET|CORECLR|COMPLUS|GIT)_/i,
  /^(?:TOOLKEEP|NVM|FNM|VOLTA|ASDF|MISE|PYENV|OPENSSL|SSL_CERT)_/i,
  /^NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|USE_|COMPILE_CACHE|REPL_EXTERNAL_MODULE)/i,
  /^PYTHON(?:PATH|HOME|STARTUP|USERBASE|EXECUTABLE|WARNINGS|BREAKPOINT|INSPECT|PYCACHEPREFIX|PLATLIBDIR|HTTPSVERIFY)$/i,
  /^GO(?:PROXY|FLAGS|SUMDB|NOSUMDB|NOPROXY|PRIVATE|INSECURE|TOOLCHAIN|ENV|ROOT|PATH|BIN|WORK|VCS|AUTH|DEBUG)$/i,
  /^GO(?:MODCACHE|CACHE|CACHEPROG|TMPDIR)$/i,
  /^(?:PERL5(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|LUA_(?:INIT|PATH|CPATH)\w*|CLASSPATH|VIRTUAL_ENV|SSLKEYLOGFILE)$/i,
  /^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_HOME|REQUESTS_CA_BUNDLE|CURL_(?:CA_BUNDLE|HOME))$/i,
  /^(?:CONTAINER_(?:HOST|CONNECTION|SSHKEY)|CONTAINERS_\w+|ASPNETCORE_HOSTINGSTARTUPASSEMBLIES|MSBUILD\w*)$/i,
];

/** Whether the variable decides which program runs, which code it loads, or from where it is downloaded. */
export const isSteering = (name: string): boolean => steering.some((pattern) => pattern.test(name));

/** Throws `Refused` for a name that is malformed, or that would turn the checked command into another one. */
export function checkVariableName(name: string): void {
  if (!/^[A-Za-z_][\w.()-]{0,200}$/.test(name)) throw new Refused(`"${name}" cannot be the name of a variable.`);
  if (isSteering(name))
    throw new Refused(`The variable "${name}" would change which program runs, or from where it is downloaded.`);
}
