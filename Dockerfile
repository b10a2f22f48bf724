# syntax=docker/dockerfile:1
# Colophon as a container: one process that is not root, on a file system that may be read-only. docs/install.md says how to run it.

# Any image with Node and npm where the official one has them: /usr/local.
ARG BASE=node:26-slim

# The packages are JavaScript and the same on every processor, so they are built on the builder's own.
FROM --platform=$BUILDPLATFORM ${BASE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY packages/import/package.json packages/import/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build
WORKDIR /opt/colophon
# The package's own lock file holds the versions that were tested.
RUN cp -R /src/dist/colophon/. . && npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${BASE}
# Nothing is installed in a container that runs.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* \
  && install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=build /opt/colophon /opt/colophon
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const port = process.env.ADMIN_PORT || 9464; port === 'off' || fetch('http://127.0.0.1:' + port + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "/opt/colophon/bin/colophon.js"]
CMD ["serve"]
