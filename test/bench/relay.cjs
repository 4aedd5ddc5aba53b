/**
 * The minimal relay between a client and a server: two processes that forward bytes without reading them. The time of a call
 * through it is the cost of the path alone, without any work of a gateway.
 *   node relay.cjs core SOCKET COMMAND ARG…    starts the server and connects it to the bridge
 *   node relay.cjs bridge SOCKET               connects stdin and stdout to it
 */
const { spawn } = require('node:child_process');
const { connect, createServer, Socket } = require('node:net');

const [role, socket, command, ...args] = process.argv.slice(2);
if (role === 'core') {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  createServer((client) => {
    client.pipe(server.stdin);
    server.stdout.pipe(client);
    client.on('close', () => process.exit(0));
  }).listen(socket, () => console.log('ready'));
} else {
  const core = connect(socket);
  process.stdin.pipe(core);
  core.pipe(new Socket({ fd: 1, readable: false, writable: true }));
}
