/**
 * With `NODE_USE_ENV_PROXY`, only the global agents of Node.js use the proxy. This module is preloaded into a confined server, so
 * that agents which libraries create (such as those of superagent) use it too.
 */
export const proxiedAgents = `const { syncBuiltinESMExports } = require('node:module');
for (const protocol of [require('node:http'), require('node:https')]) {
  const { Agent, Agent: { prototype } } = protocol;
  const connects = (one) => one?.createConnection === prototype.createConnection && one?.createSocket === prototype.createSocket;
  const given = (options) => ({ proxyEnv: process.env, ...options });
  // An agent that makes its own connections may lead to another proxy.
  protocol.Agent = new Proxy(Agent, {
    construct: (target, [options], own) => Reflect.construct(target, [connects(own.prototype) ? given(options) : options], own),
    apply: (target, self, [options]) => Reflect.apply(target, self, [!self || connects(self) ? given(options) : options]),
  });
  // Node.js finds it here if a request has \`agent: false\`.
  prototype.constructor = protocol.Agent;
}
syncBuiltinESMExports();
`;
