# Gatehouse as one stdio MCP server in a container:
#   docker build -t gatehouse .
#   docker run -i --rm --init -v ~/.gatehouse:/data gatehouse
# The servers that your configuration names run inside: their programs must be in the image (npx and node are).
# Any image with Node 24, npm and a user called node.
ARG BASE=node:24-slim
FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-fund --no-audit
COPY . .
RUN node build/build.mjs
# What is not bundled: the loader of TypeScript configs. There is no keyring in a container.
RUN mkdir -p /packages && cp -r node_modules/jiti /packages/

FROM ${BASE}
ENV NODE_ENV=production GATEHOUSE_HOME=/data GATEHOUSE_NO_SHELL_ENV=1
COPY --from=build /app/dist /app/dist
COPY --from=build /app/models /app/models
COPY --from=build /packages /app/node_modules
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
# The bridge speaks MCP on stdin and stdout, starts the Core beside it, and the container ends with it.
ENTRYPOINT ["node", "/app/dist/bridge.cjs"]
