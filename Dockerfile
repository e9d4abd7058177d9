# The server of docs/deploying.md. Versions are pinned; raise them together with .nvmrc.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY . .
# Builds the image core, the pages and the bundle; what only building needs stays in this stage.
RUN npm ci --no-audit --no-fund \
  && npm run build:server \
  && mkdir -p /server/node_modules/@cloudflare /server/scripts /server/dist /server/src/api/middleware \
  && cp -r dist/server /server/dist/ \
  && cp -r scripts/serve scripts/serve.mjs /server/scripts/ \
  && cp src/api/middleware/setting_rules.js /server/src/api/middleware/ \
  && cp -r node_modules/workerd /server/node_modules/ \
  && cp -r node_modules/@cloudflare/workerd-* /server/node_modules/@cloudflare/ \
  && cp LICENSE package.json /server/

FROM node:24.21.0-bookworm-slim
# A release adds version, revision and source (.github/workflows/release.yml).
LABEL org.opencontainers.image.title="Image sanitizer" \
  org.opencontainers.image.description="Gives photos back clean: faces and regions pixelated, all metadata gone." \
  org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /server /server
# The folder of the counters belongs to the user that the server runs as; a volume takes its owner over.
RUN mkdir -m 0700 /data && chown node:node /data
USER node
WORKDIR /server
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "scripts/serve/healthy.mjs", "8787"]
ENTRYPOINT ["node", "scripts/serve.mjs", "--built", "--host", "0.0.0.0", "--port", "8787", "--data", "/data"]
