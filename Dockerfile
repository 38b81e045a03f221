# Builds the pages of the console and the portal, and the documents about all packages. Only the results go into the image.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# With optional dependencies, which include the native binary of the bundler.
RUN npm ci --ignore-scripts && npm cache clean --force
COPY scripts ./scripts
# The only sources of the gateway that the pages may import.
COPY src/base/portable ./src/base/portable
COPY web ./web
COPY docs ./docs
COPY tsconfig.json ./
RUN node scripts/build.ts && node scripts/notices.ts THIRD-PARTY-NOTICES.txt && node scripts/sbom.ts tollgate.cdx.json

# Node without symbols for debuggers, which are a fifth of it.
FROM node:26-slim AS runtime
RUN apt-get update && apt-get install --yes --no-install-recommends binutils \
 && strip --strip-unneeded -o /opt/node /usr/local/bin/node

# The folder /app of the image.
FROM node:26-slim AS app
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has Node, so the one in the optional dependencies is not needed. Nothing reads source maps and type
# declarations when the gateway runs; they are a third of the packages.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force \
 && find node_modules -type f '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' ')' -delete \
 && rm package-lock.json .npmrc
COPY bin ./bin
COPY config ./config
COPY src ./src
COPY deploy/gateway.yaml ./deploy/
COPY LICENSE ./
COPY scripts/compile.ts ./scripts/
COPY --from=build /app/dist ./dist
COPY --from=build /app/THIRD-PARTY-NOTICES.txt /app/tollgate.cdx.json ./
# Make the files readable for the user of the image, whatever their mode in the checkout. `tollgate` is on the PATH.
RUN chmod -R a+rX package.json LICENSE THIRD-PARTY-NOTICES.txt tollgate.cdx.json bin config deploy dist scripts src && chmod a+x bin/tollgate.js \
 && mkdir node_modules/.cache && chown 1000:1000 node_modules/.cache
# Compiled code, which makes containers start faster. It is created as the user of the image, whose id is part of the
# folder's name, and then made read-only.
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled
USER 1000:1000
RUN node scripts/compile.ts
USER root
RUN chown -R root:root node_modules/.cache && chmod -R a+rX,go-w node_modules/.cache && rm -r scripts

# One image for the gateway and, with another command, the pet store service. It has neither npm nor a compiler.
FROM debian:trixie-slim
# tini is process 1. The kernel drops signals that process 1 does not handle yet, and Node installs its handlers late: a
# container stopped right after its start would be killed only after the whole grace period. Kubernetes has no
# equivalent of `docker run --init`. Node needs libatomic1.
RUN apt-get update && apt-get install --yes --no-install-recommends tini libatomic1 && rm -rf /var/lib/apt/lists/* \
 && ln -s /app/bin/tollgate.js /usr/local/bin/tollgate && mkdir -m 700 /data && chown 1000:1000 /data
COPY --from=runtime /opt/node /usr/local/bin/node
COPY --from=app /app /app

WORKDIR /app
# Databases and the admin token, if they are stored here. The user cannot write elsewhere, so the root file system may be
# read-only.
VOLUME /data
# A numeric id, so that Kubernetes can verify that it is not root (runAsNonRoot).
USER 1000:1000
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled \
    TOLLGATE_HOST=0.0.0.0 \
    TOLLGATE_ADMIN_HOST=0.0.0.0 \
    TOLLGATE_PORTAL_HOST=0.0.0.0 \
    TOLLGATE_DATA_DIR=/data
EXPOSE 8080 8081 8082

HEALTHCHECK --interval=10s --timeout=2s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Start Node directly, not through npm, so that tini's signals reach it. The path is absolute, so that the container can
# start in the folder of your configuration (`--workdir`).
ENTRYPOINT ["tini", "--"]
CMD ["node", "/app/src/main.ts"]

# `npm run release:check` compares the version with the other places that name it. The build of a release sets the rest.
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Tollgate" \
      org.opencontainers.image.description="An API gateway: keys, plans, exact minute and day quotas, bans, and deprecation headers in front of any HTTP service" \
      org.opencontainers.image.version="2.0.0" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="docker.io/library/debian:trixie-slim"
