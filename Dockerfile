# One image for every role: `--role api|worker|storage` says what a container does (compose.yaml). All that is compiled comes from the first stage.

FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
# Before the sources: packages are fetched again only when the lock file changes. No script of a package runs.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node build/build.mjs
RUN node build/notices.mjs

FROM node:20.20.2-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
# What only other systems, other processors or graphics cards load.
RUN rm -rf node_modules/onnxruntime-node/bin/napi-v*/darwin node_modules/onnxruntime-node/bin/napi-v*/win32

FROM node:20.20.2-bookworm-slim
# Text in SVG is drawn in the fonts of the system; tini reaps, and passes SIGTERM on, so that the server drains; the PostgreSQL client is for backups.
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini fontconfig fonts-noto-cjk postgresql-client tzdata \
  && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /opt/yarn-* \
  && fc-cache -s \
  && mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/dist dist
COPY --from=build /app/server/database/migrations server/database/migrations
COPY build/deploy/health.mjs build/deploy/health.mjs
# The cache of fonts was written above; nothing but the volume and /tmp is written at run time.
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "build/deploy/health.mjs"]
ENTRYPOINT ["tini", "--", "node", "--enable-source-maps", "dist/server/main.js"]
CMD ["--role", "all"]
