# Toolkeep as one stdio MCP server in a container:
#   docker build -t toolkeep .
#   docker run -i --rm --init -v toolkeep:/data toolkeep
# The configured servers run inside the container, so their programs must be in the image (npx and node are).
# Any image with Node 24, npm and a user called node.
ARG BASE=node:24-slim
FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-fund --no-audit
COPY . .
RUN node build/build.mjs
# The loader of TypeScript configs is not bundled. The keyring package is omitted, because a container has no keyring.
RUN mkdir -p /packages && cp -r node_modules/jiti /packages/

FROM ${BASE}
ENV NODE_ENV=production TOOLKEEP_HOME=/data TOOLKEEP_NO_SHELL_ENV=1
COPY --from=build /app/LICENSE /app/
COPY --from=build /app/dist /app/dist
COPY --from=build /app/models /app/models
COPY --from=build /packages /app/node_modules
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
# The bridge speaks MCP on stdin and stdout and starts Core. The container ends with the bridge.
ENTRYPOINT ["node", "/app/dist/bridge.cjs"]
