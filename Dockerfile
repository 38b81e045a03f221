# Builds the pages of the console and the portal, and the licenses of all packages. Only the result goes into the image.
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
RUN node scripts/build.ts && node scripts/notices.ts THIRD-PARTY-NOTICES.txt

# One image for the gateway and, with another command, the pet store service.
FROM node:26-slim

ENV NODE_ENV=production
WORKDIR /app

# tini is process 1. The kernel drops signals that process 1 does not handle yet, and Node installs its handlers late: a
# container stopped right after its start would be killed only after the whole grace period. Kubernetes has no
# equivalent of `docker run --init`.
RUN apt-get update && apt-get install --yes --no-install-recommends tini && rm -rf /var/lib/apt/lists/*

# What changes rarely comes first. The image has Node, so the one in the optional dependencies is not needed.
COPY package.json package-lock.json .npmrc ./
# Without scripts, because the stage above has already run `prepare`.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

COPY bin ./bin
COPY config ./config
COPY src ./src
COPY --from=build /app/dist ./dist
COPY deploy/gateway.yaml ./deploy/
COPY --from=build /app/THIRD-PARTY-NOTICES.txt ./
COPY LICENSE ./
COPY scripts/compile.ts ./scripts/

# Make the files readable for the user below, whatever their mode in the checkout. `tollgate` is on the PATH, because npx
# would try to make the file executable, which this user may not do.
RUN chmod -R a+rX package.json LICENSE THIRD-PARTY-NOTICES.txt bin config deploy dist scripts src && chmod a+x bin/tollgate.js \
 && ln -s /app/bin/tollgate.js /usr/local/bin/tollgate \
 && mkdir -m 700 /data && chown 1000:1000 /data \
 && mkdir node_modules/.cache && chown 1000:1000 node_modules/.cache

# Compiled code, which makes containers start faster. Created as the user below, whose id is part of the folder's name,
# and then made read-only.
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled
USER 1000:1000
RUN node scripts/compile.ts
USER root
RUN chown -R root:root node_modules/.cache && chmod -R a+rX,go-w node_modules/.cache

# Databases and the admin token, if they are stored here. The user cannot write below /app.
VOLUME /data
# A numeric id, so that Kubernetes can verify that it is not root (runAsNonRoot).
USER 1000:1000

ENV TOLLGATE_HOST=0.0.0.0 \
    TOLLGATE_ADMIN_HOST=0.0.0.0 \
    TOLLGATE_PORTAL_HOST=0.0.0.0 \
    TOLLGATE_DATA_DIR=/data
EXPOSE 8080 8081 8082

HEALTHCHECK --interval=10s --timeout=2s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Start Node directly, not through npm, so that tini's signals reach it.
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/main.ts"]
