# docker build -t petstore-conformance . && docker run --rm -e PETSTORE_API_KEY -v "$PWD:/work" petstore-conformance certify --target …
FROM node:24-alpine AS build
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts && npm run build
FROM node:24-alpine
COPY --from=build /app/package.json /app/
COPY --from=build /app/cli/petstore-conformance.js /app/cli/
COPY --from=build /app/dist /app/dist
USER node
WORKDIR /work
ENTRYPOINT ["node", "/app/cli/petstore-conformance.js"]
