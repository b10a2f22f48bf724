# Varnish in front of Colophon, as a cache. Put TLS in front of it (HAProxy, Hitch). docs/proxy.md says more.
# Colophon runs with BASE_URL=https://api.example.com and TRUST_PROXY=127.0.0.1.
vcl 4.1;

backend colophon {
  .host = "127.0.0.1";
  .port = "8080";
  .connect_timeout = 2s;
  .first_byte_timeout = 60s;
}

sub vcl_recv {
  # A method that Varnish does not know would be piped: bytes that nobody counts as requests.
  if (req.method !~ "^(GET|HEAD|POST|DELETE|OPTIONS|PUT|PATCH|TRACE)$") {
    return (synth(405, "Method Not Allowed"));
  }
  # The caller's address as Varnish sees it; whatever the caller claims of itself ends here.
  set req.http.X-Forwarded-For = client.ip;
  unset req.http.Forwarded;
  unset req.http.X-Forwarded-Host;
  unset req.http.X-Forwarded-Proto;
  # Nothing is upgraded.
  unset req.http.Upgrade;
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # The rest, bypassing on Authorization included, is Varnish's own.
}

sub vcl_backend_response {
  # Kept for revalidation with its ETag after the grace that stale-while-revalidate gives.
  set beresp.keep = 1h;
}

sub vcl_deliver {
  # A stored response carries the rate limit and the request ID of whoever asked first.
  if (obj.hits > 0) {
    unset resp.http.RateLimit;
    unset resp.http.RateLimit-Limit;
    unset resp.http.RateLimit-Remaining;
    unset resp.http.RateLimit-Reset;
    set resp.http.X-Request-Id = "vrn_" + req.xid;
  }
}
