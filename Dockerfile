# The service, and all that it needs, from the lock file. The data is in the volume /data.

FROM python:3.11-slim-bookworm AS packages
COPY requirements.lock /tmp/
RUN python -m venv /opt/venv
RUN /opt/venv/bin/python -m pip install --no-cache-dir --require-hashes --only-binary :all: \
    -r /tmp/requirements.lock

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --user-group --no-create-home scorekeeper \
    && install -d -m 0700 -o scorekeeper -g scorekeeper /data
COPY --from=packages /opt/venv /opt/venv
WORKDIR /app
COPY pyproject.toml gunicorn.conf.py ./
COPY docs docs
COPY migrations migrations
COPY samples samples
COPY templates templates
COPY scorekeeper scorekeeper
RUN /opt/venv/bin/python -m compileall -q scorekeeper

ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    SCOREKEEPER_DATA_DIR=/data
USER scorekeeper
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --start-interval=1s \
    CMD ["python", "-c", "from os import environ; from urllib.request import urlopen; urlopen(f'http://localhost:{environ.get(\"SCOREKEEPER_PORT\", \"8000\")}/readyz', timeout=8)"]
CMD ["python", "-m", "scorekeeper", "serve"]
