# The gateway, and the pet store service: the same image, another command.
FROM node:26-slim

ENV NODE_ENV=production
WORKDIR /app

# First what seldom changes. The image brings Node: the one among the optional dependencies is for machines without it.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force

COPY bin ./bin
COPY config ./config
COPY src ./src

# Nothing under /app is the user's to write; databases and the admin token go to the volume.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node

ENV TOLLGATE_HOST=0.0.0.0 \
    TOLLGATE_ADMIN_HOST=0.0.0.0 \
    TOLLGATE_DATA_DIR=/data
EXPOSE 8080 8081

HEALTHCHECK --interval=5s --timeout=2s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Node itself, and not npm: signals reach it, and it drains.
CMD ["node", "src/main.ts"]
