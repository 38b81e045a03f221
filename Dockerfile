# Builds the pages of the console and the portal. Only the result goes into the image.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# With the optional dependencies: the bundler's program for this machine is one.
RUN npm ci --ignore-scripts && npm cache clean --force
COPY scripts ./scripts
COPY web ./web
COPY docs ./docs
COPY tsconfig.json ./
RUN node scripts/build.ts

# The gateway, and the pet store service: the same image, another command.
FROM node:26-slim

ENV NODE_ENV=production
WORKDIR /app

# The first process. The kernel drops a signal to that one which it does not handle yet, and Node takes a moment to: a
# container stopped right after its start would be killed after its whole grace. `docker run --init` does the same, but
# Kubernetes has no such thing.
RUN apt-get update && apt-get install --yes --no-install-recommends tini && rm -rf /var/lib/apt/lists/*

# First what seldom changes. The image brings Node: the one among the optional dependencies is for machines without it.
COPY package.json package-lock.json .npmrc ./
# Without scripts: `prepare` builds what the stage above has built.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

COPY bin ./bin
COPY config ./config
COPY src ./src
COPY --from=build /app/dist ./dist
COPY deploy/gateway.yaml ./deploy/
COPY LICENSE THIRD-PARTY-NOTICES.txt ./
COPY scripts/compile.ts ./scripts/

# Readable by the user below also where the checkout was made for its owner only. `tollgate` is on the PATH: npx would
# want to make the file executable, which this user may not.
RUN chmod -R a+rX package.json LICENSE THIRD-PARTY-NOTICES.txt bin config deploy dist scripts src && chmod a+x bin/tollgate.js \
 && ln -s /app/bin/tollgate.js /usr/local/bin/tollgate \
 && mkdir -m 700 /data && chown 1000:1000 /data \
 && mkdir node_modules/.cache && chown 1000:1000 node_modules/.cache

# Compiled code, so that a container starts sooner. As the user below, whose number is a part of the folder's
# name; after that it is nobody's to write.
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled
USER 1000:1000
RUN node scripts/compile.ts
USER root
RUN chown -R root:root node_modules/.cache && chmod -R a+rX,go-w node_modules/.cache

# Databases and the admin token, where they are kept here: nothing under /app is the user's to write.
VOLUME /data
# By number, so that Kubernetes can see that it is not root (runAsNonRoot).
USER 1000:1000

ENV TOLLGATE_HOST=0.0.0.0 \
    TOLLGATE_ADMIN_HOST=0.0.0.0 \
    TOLLGATE_PORTAL_HOST=0.0.0.0 \
    TOLLGATE_DATA_DIR=/data
EXPOSE 8080 8081 8082

HEALTHCHECK --interval=10s --timeout=2s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Node itself, and not npm: tini passes signals on to it, and it drains.
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/main.ts"]
