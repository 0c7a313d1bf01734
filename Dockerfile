# Boathook with Chromium, serving MCP over HTTP; the token is in BOATHOOK_MCP_TOKEN. See docs/install.md.
FROM python:3.13-slim-bookworm

# Debian's Chromium is updated with the image; the versions of Debian's packages are those of the day.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium chromium-sandbox ffmpeg fonts-liberation fonts-noto-cjk tini \
    && rm -rf /var/lib/apt/lists/*

# Chromium's sandbox needs a user who is not root.
RUN useradd --create-home --uid 10001 agent

WORKDIR /opt/boathook
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY src ./src
COPY extension ./extension
COPY native ./native
# What it needs is declared there, and the image is built from one checkout.
# hadolint ignore=DL3013
RUN pip install --no-cache-dir '.[all]' && rm -rf /opt/boathook

USER 10001
WORKDIR /home/agent
ENV BOATHOOK_BROWSER=/usr/bin/chromium
EXPOSE 8931

HEALTHCHECK --interval=30s --timeout=10s --start-period=20s \
    CMD ["python", "-c", "import socket; socket.create_connection(('127.0.0.1', 8931), 5).close()"]

# tini collects processes that Chromium leaves; the server ends with it.
ENTRYPOINT ["tini", "--", "boathook"]
CMD ["mcp", "--http", "--host", "0.0.0.0", "--port", "8931"]
