/** The contract's objects. Written by `npm run openapi` from openapi.json; do not edit. */

/** A known value, or one that a later version of the service adds. */
export type Open<T extends string> = T | (string & {});

/** The error codes of this version. Others may come at any time: treat them as their status. */
export type ProblemCode = "invalid_request" | "invalid_cursor" | "invalid_token" | "unauthorized" | "insufficient_scope" | "forbidden_origin" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "idempotency_conflict" | "version_retired" | "payload_too_large" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "headers_too_large" | "internal_error" | "upstream_unavailable" | "overloaded" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "unsupported_response_type" | "invalid_scope" | "invalid_client_metadata" | "invalid_redirect_uri" | "unapproved_software_statement" | "unsupported_credential_type";

/** A registered client (RFC 7591 section 3.2.1). */
export interface ClientInformation {
  /** The client’s id. */
  readonly client_id: string;
  /** Shown once, at registration; it cannot be had again. */
  readonly client_secret?: string;
  /** Seconds since 1970. */
  readonly client_id_issued_at: number;
  /** 0: never. */
  readonly client_secret_expires_at?: number;
  /** Shown to people, as unverified. */
  readonly client_name?: string;
  /** For `authorization_code`: https, a private-use scheme, or http to a loopback address. */
  readonly redirect_uris?: readonly (string)[];
  /** Names the software, whichever client it is. */
  readonly software_id?: string;
  /** Its version. */
  readonly software_version?: string;
  /** Addresses of those responsible. */
  readonly contacts?: readonly (string)[];
  /** What was registered. */
  readonly grant_types: readonly (Open<"client_credentials" | "authorization_code" | "refresh_token" | "urn:ietf:params:oauth:grant-type:jwt-bearer">)[];
  /** `code` with the grant type `authorization_code`. */
  readonly response_types: readonly ("code")[];
  /** How the client authenticates. */
  readonly token_endpoint_auth_method: Open<"client_secret_basic" | "client_secret_post" | "none">;
  /** The widest scope that its tokens may have. */
  readonly scope: string;
  /** Where the registration is read and deleted (RFC 7592). */
  readonly registration_client_uri: string;
  /** The bearer token for that URL, and for nothing else. */
  readonly registration_access_token: string;
  /** Whether an assertion stands behind it. */
  readonly registration_type: Open<"anonymous" | "agent-provider">;
  /** What was handed out. */
  readonly credential_type: "oauth_client_credentials";
}

/** Client metadata (RFC 7591 section 2). Members that are not listed are ignored. */
export interface ClientMetadata {
  /** Shown to people, as unverified. */
  readonly client_name?: string;
  /** For `authorization_code`: https, a private-use scheme, or http to a loopback address. */
  readonly redirect_uris?: readonly (string)[];
  /** Names the software, whichever client it is. */
  readonly software_id?: string;
  /** Its version. */
  readonly software_version?: string;
  /** Addresses of those responsible. */
  readonly contacts?: readonly (string)[];
  /** `client_credentials` unless given; `authorization_code` when there are redirect URIs. */
  readonly grant_types?: readonly ("client_credentials" | "authorization_code" | "refresh_token" | "urn:ietf:params:oauth:grant-type:jwt-bearer")[];
  /** `client_secret_basic` unless given. */
  readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "none";
  /** Space-separated; the four that read unless given. */
  readonly scope?: string;
  /** `identity_assertion` makes the client a person’s; it needs the next two members. */
  readonly type?: "anonymous" | "identity_assertion";
  /** What the assertion is. */
  readonly assertion_type?: "urn:ietf:params:oauth:token-type:id-jag" | "urn:ietf:params:oauth:token-type:jwt";
  /** With `refresh_token`: the newest one of the grant. */
  readonly refresh_token?: string;
  /** The JWT of a trusted identity provider. */
  readonly assertion?: string;
  /** What you get without it, too. */
  readonly requested_credential_type?: "oauth_client_credentials";
}

/** The answer to a compatibility check. */
export interface Compatibility {
  /** Says what kind of object this is. */
  readonly object: "compatibility";
  /** Whether it runs there. */
  readonly compatible: boolean;
  /** One sentence for each requirement that is not met; empty when compatible. */
  readonly reasons: readonly (string)[];
  /** What it needs at least. */
  readonly minimum: {
    /** The oldest OS version that is supported. */
    readonly os_version: string;
    /** `arm64` when only Apple silicon runs it, else `x86_64`. */
    readonly arch: Open<"arm64" | "x86_64">;
  };
  /** The reasons for programs, in the same order. */
  readonly checks: readonly ({
    /** Which requirement is not met. */
    readonly code: Open<"os_too_old" | "os_too_new" | "arch_unsupported">;
    /** What is needed. */
    readonly required: string;
    /** What was sent. */
    readonly given: string;
  })[];
  /** The OS version that was checked, when the one sent is an older name of it. */
  readonly interpreted_as?: string;
  /** True when the OS is newer than any that the vendor has tested. */
  readonly untested?: boolean;
}

/** A documentation page. */
export interface Doc {
  /** Says what kind of object this is. */
  readonly object: "doc";
  /** The page’s name: the path after `/docs/`. */
  readonly slug: string;
  /** The page’s title. */
  readonly title: string;
  /** One or two sentences. */
  readonly description: string;
  /** The page for people. */
  readonly url: string;
  /** The page as markdown. */
  readonly markdown_url: string;
  /** The page’s place in reading order. */
  readonly order: number;
  /** The day of its last change, or null when it is not known. */
  readonly updated_at: string | null;
  /** The page’s text, without front matter, with absolute links. */
  readonly markdown: string;
  /** The page’s headings, in their order. */
  readonly headings: readonly ({
    /** 1 to 6, as in HTML. */
    readonly level: number;
    /** The heading without markup. */
    readonly text: string;
    /** The fragment of `url` that leads to it. */
    readonly anchor: string;
  })[];
  /** Words in the page’s text. */
  readonly word_count: number;
}

/** A documentation page in the index. */
export interface DocEntry {
  /** Says what kind of object this is. */
  readonly object: "doc";
  /** The page’s name: the path after `/docs/`. */
  readonly slug: string;
  /** The page’s title. */
  readonly title: string;
  /** One or two sentences. */
  readonly description: string;
  /** The page for people. */
  readonly url: string;
  /** The page as markdown. */
  readonly markdown_url: string;
  /** The page’s place in reading order. */
  readonly order: number;
  /** The day of its last change, or null when it is not known. */
  readonly updated_at: string | null;
}

export interface DocList {
  /** Says what kind of object this is. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (DocEntry)[];
  /** Where this page ends and how to go on. */
  readonly pagination: {
    /** The limit applied. */
    readonly limit: number;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** Opaque; null when has_more is false. */
    readonly next_cursor: string | null;
  };
}

/** A frequently asked question and its answer. */
export interface Faq {
  /** Says what kind of object this is. */
  readonly object: "faq";
  /** The entry’s id. */
  readonly id: string;
  /** The question. */
  readonly question: string;
  /** The answer: markdown, with absolute links. */
  readonly answer: string;
  /** The group it is listed in. */
  readonly category: string;
  /** The entry for people. */
  readonly url: string;
  /** The entry as markdown. */
  readonly markdown_url: string;
}

export interface FaqList {
  /** Says what kind of object this is. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (Faq)[];
  /** Where this page ends and how to go on. */
  readonly pagination: {
    /** The limit applied. */
    readonly limit: number;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** Opaque; null when has_more is false. */
    readonly next_cursor: string | null;
  };
}

/** Something that the application can do. */
export interface Feature {
  /** Says what kind of object this is. */
  readonly object: "feature";
  /** The feature’s id. */
  readonly id: string;
  /** The feature’s name. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** Whether it works without sending anything off the computer. */
  readonly on_device: boolean;
  /** The id of a permission (see requirements) without which the feature does not work, whether or not the application as a whole requires it; null when the feature needs none of its own. */
  readonly permission: string | null;
}

export interface FeatureList {
  /** Says what kind of object this is. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (Feature)[];
  /** Where this page ends and how to go on. */
  readonly pagination: {
    /** The limit applied. */
    readonly limit: number;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** Opaque; null when has_more is false. */
    readonly next_cursor: string | null;
  };
}

/** The service index. */
export interface ServiceIndex {
  /** Says what kind of object this is. */
  readonly object: "index";
  /** The date that names the build which answered. */
  readonly api_version: string;
  /** The origin of every URL here. */
  readonly base_url: string;
  /** Every endpoint of this API. */
  readonly endpoints: readonly ({
    /** As in the OpenAPI document. */
    readonly operation_id: string;
    /** The HTTP method. */
    readonly method: Open<"GET" | "POST">;
    /** With `{name}` for a path parameter. */
    readonly path: string;
    /** The path as an absolute URL template. */
    readonly url: string;
    /** What it does. */
    readonly description: string;
    /** The scope that a token needs; null when any token will do. */
    readonly scope: string | null;
    /** Whether it answers only with a token. */
    readonly token_required: boolean;
  })[];
  /** The limits, by the name of their policy. */
  readonly rate_limits: readonly ({
    /** As in the RateLimit-Policy header. */
    readonly name: string;
    /** Requests in the window. */
    readonly requests: number;
    /** The window’s length. */
    readonly window_seconds: number;
    /** What counts, and by what. */
    readonly applies_to: string;
  })[];
  /** The contract, OpenAPI 3.1. */
  readonly openapi_url: string;
  /** The MCP servers, which need no credential. */
  readonly mcp_servers: readonly ({
    /** The server’s name. */
    readonly name: string;
    /** Where to POST JSON-RPC messages. */
    readonly url: string;
    /** What it can be asked. */
    readonly description: string;
  })[];
  /** Where to get an optional credential. */
  readonly auth: {
    /** RFC 9728. */
    readonly protected_resource_metadata: string;
    /** RFC 8414. */
    readonly authorization_server_metadata: string;
    /** RFC 7591; no person is needed. */
    readonly registration_endpoint: string;
    /** RFC 6749. */
    readonly token_endpoint: string;
    /** RFC 7009. */
    readonly revocation_endpoint: string;
    /** Instructions for an agent that wants a credential. */
    readonly skill: string;
  };
  /** The same API over fixture data. */
  readonly sandbox_url: string;
  /** The developer documentation. */
  readonly docs_url: string;
  /** The error reference. */
  readonly errors_url: string;
  /** Which versions there are, and what is promised of them. */
  readonly versioning: {
    /** The version to use. */
    readonly current: string;
    /** The least gap between the first Deprecation header and the Sunset. */
    readonly minimum_notice_days: number;
    /** The policy in words. */
    readonly policy: string;
    /** The policy as a page. */
    readonly policy_url: string;
    /** Every version there ever was. */
    readonly versions: readonly ({
      /** As it stands in the path. */
      readonly version: string;
      /** Retired versions answer 410. */
      readonly status: Open<"current" | "deprecated" | "retired">;
      /** The day of its deprecation, or null. */
      readonly deprecated_at: string | null;
      /** The day from which it answers 410, or null. */
      readonly sunset_at: string | null;
      /** The version to use instead, or null. */
      readonly successor: string | null;
    })[];
  };
}

/** An export job. */
export interface Job {
  /** Says what kind of object this is. */
  readonly object: "job";
  /** The job’s id; an Idempotency-Key determines it. */
  readonly id: string;
  /** How far it is. */
  readonly status: Open<"queued" | "running" | "completed" | "failed">;
  /** What is exported. */
  readonly resource: Open<"docs" | "faq" | "releases">;
  /** The file’s format. */
  readonly format: Open<"markdown" | "json">;
  /** Where to ask how far it is. */
  readonly poll_url: string;
  /** When it was started. */
  readonly created_at: string;
  /** The file; present when `status` is `completed`. */
  readonly result?: {
    /** The file: public, and unchanged for as long as it is kept. */
    readonly url: string;
    /** The file’s type; it is UTF-8. */
    readonly media_type: Open<"text/markdown" | "application/json">;
    /** The file’s size. */
    readonly size_bytes: number;
    /** The SHA-256 of the file’s bytes, in hexadecimal. */
    readonly sha256: string;
    /** The revision of the content that the file was made from. */
    readonly revision: string;
    /** Until when the file is kept. */
    readonly expires_at: string;
  };
  /** Why it failed; present when `status` is `failed`. `request_id` is the job’s id. */
  readonly error?: Problem;
}

/** A plan that the vendor sells or gives away. */
export interface Plan {
  /** Says what kind of object this is. */
  readonly object: "plan";
  /** The plan’s id. */
  readonly id: string;
  /** The plan’s name. */
  readonly name: string;
  /** What it costs. */
  readonly price: {
    /** In the currency’s main unit: 29 is 29 dollars. */
    readonly amount: number;
    /** ISO 4217. */
    readonly currency: string;
    /** How often it is charged; null when nothing is. */
    readonly interval: Open<"once" | "month" | "year"> | null;
    /** What one price buys, such as `seat`; null for a flat price. */
    readonly unit: string | null;
  };
  /** Who the plan is for. */
  readonly description: string;
  /** What it includes. */
  readonly includes: readonly (string)[];
}

export interface Pricing {
  /** Says what kind of object this is. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (Plan)[];
  /** Where this page ends and how to go on. */
  readonly pagination: {
    /** The limit applied. */
    readonly limit: number;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** Opaque; null when has_more is false. */
    readonly next_cursor: string | null;
  };
  /** Language model backends and what each costs. */
  readonly backends: readonly ({
    /** The backend’s id. */
    readonly id: string;
    /** The backend’s name. */
    readonly name: string;
    /** Whether text stays on the computer. */
    readonly runs_on_device: boolean;
    /** In words, with amount, currency and unit. */
    readonly cost: string;
    /** What it is. */
    readonly description: string;
  })[];
  /** The terms of this API itself. */
  readonly api: {
    /** What this API costs. */
    readonly price: "free";
    /** Whether reading needs a credential. */
    readonly key_required: boolean;
    /** Without a token. */
    readonly requests_per_minute: number;
    /** With a token. */
    readonly requests_per_minute_with_token: number;
    /** The developer documentation. */
    readonly docs_url: string;
  };
}

/** A failure (RFC 9457). Branch on `code`; treat an unknown code as its HTTP status class. */
export interface Problem {
  /** Says what kind of object this is. */
  readonly object: "error";
  /** The error reference, at this code. */
  readonly type: string;
  /** Names the class of error. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** Names this case and the next step. */
  readonly detail: string;
  /** The request’s path. */
  readonly instance: string;
  /** Stable; the member to branch on. */
  readonly code: Open<"invalid_request" | "invalid_cursor" | "invalid_token" | "unauthorized" | "insufficient_scope" | "forbidden_origin" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "idempotency_conflict" | "version_retired" | "payload_too_large" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "headers_too_large" | "internal_error" | "upstream_unavailable" | "overloaded" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "unsupported_response_type" | "invalid_scope" | "invalid_client_metadata" | "invalid_redirect_uri" | "unapproved_software_statement" | "unsupported_credential_type">;
  /** Equals the X-Request-Id header. */
  readonly request_id: string;
  /** The error reference, at this code. */
  readonly docs_url: string;
  /** On validation failures alone: one entry a fault. */
  readonly errors?: readonly ({
    /** A query parameter’s name, or the path of a body member such as `operations[2].path`. */
    readonly field: string;
    /** What is wrong with it: `required`, `out_of_range`, `malformed`, `invalid_value`, `repeated` or `unknown`. */
    readonly code: string;
    /** What is allowed, and what was sent. */
    readonly detail: string;
  })[];
  /** Near misses, best first. */
  readonly suggestions?: readonly (string)[];
  /** OAuth’s name for the failure (RFC 6749 section 5.2), on failures of OAuth and of tokens. */
  readonly error?: string;
  /** `detail` again, where OAuth clients look for it. */
  readonly error_description?: string;
  /** Why an assertion was refused, such as `replay_detected`. */
  readonly reason?: string;
  /** The scope that the token lacks (`insufficient_scope`). */
  readonly scope?: string;
  /** The version to use instead (`version_retired`). */
  readonly successor?: string;
  /** Seconds to wait, as in Retry-After. */
  readonly retry_after?: number;
}

/** One release of the application. */
export interface Release {
  /** Says what kind of object this is. */
  readonly object: "release";
  /** What people call the version. */
  readonly version: string;
  /** The day it was published, in UTC. Look at `published_at_source` first. */
  readonly published_at: string;
  /** Release notes, as markdown; empty when there are none. */
  readonly notes: string;
  /** Where to download it; the web page of an informational release. */
  readonly download_url: string;
  /** What runs it. */
  readonly platform: {
    /** The operating system’s name. */
    readonly os: string;
    /** The oldest OS version that runs it. */
    readonly min_version: string;
    /** The processors that run it; `universal` is both. */
    readonly arch: Open<"arm64" | "x86_64" | "universal">;
    /** The newest OS version that runs it, or null when every later one does. */
    readonly max_version: string | null;
    /** What the feed says; in lower case. The updater knows `arm64`, Apple silicon. */
    readonly hardware_requirements: readonly (string)[];
  };
  /** What the updater compares. */
  readonly build: string;
  /** `stable` for the default channel, else the channel’s name. */
  readonly channel: string;
  /** Whether the updater presses for it; only below `critical_below`, where that is set. */
  readonly critical: boolean;
  /** It is critical only where a lower build is installed; null: everywhere. */
  readonly critical_below: string | null;
  /** Whether it is an announcement; the updater shows a web page, `download_url`, and downloads nothing. */
  readonly informational: boolean;
  /** The build that must be installed to be offered it, or null. */
  readonly minimum_update_version: string | null;
  /** The build that must be installed for an update without asking, or null. */
  readonly minimum_autoupdate_version: string | null;
  /** How background checks offer it in turn, from `published_at_time` on; null: to everyone at once. */
  readonly phased_rollout: {
    /** How long after one group the next one is offered it. */
    readonly interval_seconds: number;
    /** How many groups the updater divides users into. */
    readonly groups: 7;
  } | null;
  /** The download’s size, or null when the feed does not say. */
  readonly size_bytes: number | null;
  /** The download’s signature as the feed has it. This service does not check it. */
  readonly signature: {
    /** The signature’s algorithm (RFC 8032). */
    readonly algorithm: "ed25519";
    /** Base64 of 64 bytes, over the download’s bytes. */
    readonly value: string;
  } | null;
  /** The moment of publication, or null when the feed has none. */
  readonly published_at_time: string | null;
  /** Where `published_at` comes from; `feed`: the release’s own date; `neighbor`: the date of the release next to it in the feed, since it has none; `unknown`: no release has a date. */
  readonly published_at_source: Open<"feed" | "neighbor" | "unknown">;
  /** Whether the feed’s notes were plain text. */
  readonly notes_format: Open<"markdown" | "plain-text">;
  /** The notes as a web page, or null. */
  readonly notes_url: string | null;
  /** The notes of all versions as a web page, or null. */
  readonly full_notes_url: string | null;
}

export interface ReleaseList {
  /** Says what kind of object this is. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (Release)[];
  /** Where this page ends and how to go on. */
  readonly pagination: {
    /** The limit applied. */
    readonly limit: number;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** Opaque; null when has_more is false. */
    readonly next_cursor: string | null;
  };
}

/** What a computer needs to run the application. */
export interface Requirements {
  /** Says what kind of object this is. */
  readonly object: "requirements";
  /** The oldest OS version that runs the application. */
  readonly minimum_os_version: string;
  /** The processors that run the application. */
  readonly arch: readonly (Open<"arm64" | "x86_64">)[];
  /** Megabytes of disk space. */
  readonly disk_mb: number;
  /** Megabytes of memory. */
  readonly memory_mb: number;
  /** What the application asks the user for. */
  readonly permissions: readonly ({
    /** The permission’s id. */
    readonly id: string;
    /** As the system’s settings show it. */
    readonly name: string;
    /** Whether the application is of no use without it. */
    readonly required: boolean;
    /** What granting it gives. */
    readonly unlocks: string;
  })[];
}

export interface BatchResults {
  /** Says what kind of object this is. */
  readonly object: "batch";
  /** In the order of the operations. */
  readonly results: readonly ({
    /** The operation’s id. */
    readonly id: string;
    /** What the single GET’s status would be. */
    readonly status: number;
    /** What the single GET answers, or a problem document. */
    readonly body: {
    };
  })[];
}

/** A page or a FAQ entry that matches. */
export interface SearchResult {
  /** The kind of thing found. */
  readonly object: Open<"doc" | "faq">;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /** The page’s title, or the question. */
  readonly title: string;
  /** Plain text around the best match, with the matched words in `**bold**`. */
  readonly excerpt: string;
  /** For people. */
  readonly url: string;
  /** As markdown. */
  readonly markdown_url: string;
  /** The page’s slug; absent on a FAQ entry. */
  readonly slug?: string;
  /** The FAQ entry’s id; absent on a page. */
  readonly id?: string;
}

export interface SearchResultList {
  /** Says what kind of object this is. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (SearchResult)[];
  /** Where this page ends and how to go on. */
  readonly pagination: {
    /** The limit applied. */
    readonly limit: number;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** Opaque; null when has_more is false. */
    readonly next_cursor: string | null;
  };
  /** What was searched instead, when nothing matched `q` as it was sent. */
  readonly searched_for?: string;
}

export interface ListReleasesParams {
  /** How many items to return, 1 to 100. */
  readonly limit?: number;
  /** Where to go on: `pagination.next_cursor` of the page before, unchanged. */
  readonly cursor?: string;
  /** Adds the releases of this channel, such as `beta`, to those of the default channel. */
  readonly channel?: string;
}

export interface GetLatestReleaseParams {
  /** Also offers the releases of this channel, such as `beta`. */
  readonly channel?: string;
  /** The Mac’s OS version, such as `14.5`; the newest when left out. */
  readonly os_version?: string;
  /** The Mac’s processor: `arm64` is Apple silicon, `x86_64` is Intel. */
  readonly arch?: "arm64" | "x86_64";
}

export interface ListDocsParams {
  /** How many items to return, 1 to 100. */
  readonly limit?: number;
  /** Where to go on: `pagination.next_cursor` of the page before, unchanged. */
  readonly cursor?: string;
}

export interface ListFaqParams {
  /** How many items to return, 1 to 100. */
  readonly limit?: number;
  /** Where to go on: `pagination.next_cursor` of the page before, unchanged. */
  readonly cursor?: string;
}

export interface CheckCompatibilityParams {
  /** An OS version such as `14.5`. */
  readonly os_version: string;
  /** The processor: `arm64` is Apple silicon, `x86_64` is Intel. */
  readonly arch: "arm64" | "x86_64";
}

export interface SearchParams {
  /** What to search for, 2 to 200 characters. */
  readonly q: string;
  /** How many items to return, 1 to 50. */
  readonly limit?: number;
  /** Where to go on: `pagination.next_cursor` of the page before, unchanged. */
  readonly cursor?: string;
  /** Only pages, or only FAQ entries; both when left out. */
  readonly type?: "doc" | "faq";
}

export interface BatchRequest {
  /** 1 to 20 operations. */
  readonly operations: readonly ({
    /** Chosen by you; comes back on the result. */
    readonly id: string;
    /** Only `GET`. */
    readonly method: "GET";
    /** Relative to the API root, with its query string. */
    readonly path: string;
  })[];
}

export interface StartExportRequest {
  /** What to export: `docs`, `faq` or `releases`. */
  readonly resource: "docs" | "faq" | "releases";
  /** `markdown`: one text, each item with its front matter. `json`: a list of the same objects that the API gives. */
  readonly format: "markdown" | "json";
}
