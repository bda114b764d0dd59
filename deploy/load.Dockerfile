# syntax=docker/dockerfile:1
# Locust with the scenarios of load/, on top of the server's image, which has the engine that checks every match.
# Build it from the project's root, after the server's:
#   docker build -f deploy/load.Dockerfile -t shinpan-load:0.1.0 --build-arg SERVER_IMAGE=shinpan-server:0.1.0 .
ARG BUILD_IMAGE=python:3.11-bookworm
ARG SERVER_IMAGE=shinpan-server:dev

FROM ${SERVER_IMAGE} AS server

FROM ${BUILD_IMAGE} AS build
ARG PIP_NO_INDEX
ARG PIP_FIND_LINKS
WORKDIR /src
COPY --from=server /opt/shinpan /opt/shinpan
COPY requirements/load.txt requirements/
RUN python -m venv /build \
 && /build/bin/python -m pip --python /opt/shinpan/bin/python install --no-cache-dir --require-hashes -r requirements/load.txt

FROM server
LABEL org.opencontainers.image.title="Shinpan's load tests"
COPY --from=build /opt/shinpan /opt/shinpan
COPY load /srv/load
WORKDIR /srv
USER 65532:65532
EXPOSE 8089
ENTRYPOINT ["python", "-m", "locust", "--locustfile", "load/locustfile.py"]
