/** The contract's objects. Written by `npm run openapi` from contract/openapi.json; do not edit. */

/** A known value, or one that a later version of the service adds. */
export type Open<T extends string> = T | (string & {});

/** A registered client (RFC 7591 section 3.2.1). */
export interface ClientInformation {
  /** The client’s ID. */
  readonly client_id: string;
  /** Shown once, at registration; it cannot be retrieved later. */
  readonly client_secret?: string;
  /** Seconds since 1970. */
  readonly client_id_issued_at: number;
  /** 0 means never. */
  readonly client_secret_expires_at?: number;
  /** Shown to people, marked as not verified. */
  readonly client_name?: string;
  /** The redirect URIs for `authorization_code`: https, a private-use scheme, or http to a loopback address. */
  readonly redirect_uris?: readonly (string)[];
  /** Identifies the software across clients. */
  readonly software_id?: string;
  /** Its version. */
  readonly software_version?: string;
  /** Contact addresses. */
  readonly contacts?: readonly (string)[];
  /** The registered grant types. */
  readonly grant_types: readonly (Open<ClientInformationGrantType>)[];
  /** `code` with the grant type `authorization_code`. */
  readonly response_types: readonly ("code")[];
  /** How the client authenticates. */
  readonly token_endpoint_auth_method: Open<ClientInformationTokenEndpointAuthMethod>;
  /** The widest scope that its tokens may have. */
  readonly scope: string;
  /** The URL at which the registration is read and deleted (RFC 7592). */
  readonly registration_client_uri: string;
  /** The bearer token for that URL only. */
  readonly registration_access_token: string;
  /** Whether the client was registered with an assertion. */
  readonly registration_type: Open<ClientInformationRegistrationType>;
  /** The type of the credential. */
  readonly credential_type: "oauth_client_credentials";
}

/** The values of this version. Responses may have others in a later one. */
export type ClientInformationGrantType = "client_credentials" | "authorization_code" | "refresh_token" | "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The values of this version. Responses may have others in a later one. */
export type ClientInformationRegistrationType = "anonymous" | "agent-provider";

/** The values of this version. Responses may have others in a later one. */
export type ClientInformationTokenEndpointAuthMethod = "client_secret_basic" | "client_secret_post" | "none";

/** Client metadata (RFC 7591 section 2). Other fields are ignored. */
export interface ClientMetadata {
  /** Shown to people, marked as not verified. */
  readonly client_name?: string | undefined;
  /** The redirect URIs for `authorization_code`: https, a private-use scheme, or http to a loopback address. */
  readonly redirect_uris?: readonly (string)[] | undefined;
  /** Identifies the software across clients. */
  readonly software_id?: string | undefined;
  /** Its version. */
  readonly software_version?: string | undefined;
  /** Contact addresses. */
  readonly contacts?: readonly (string)[] | undefined;
  /** The grant types; by default `client_credentials`, or `authorization_code` if there are redirect URIs. */
  readonly grant_types?: readonly ("client_credentials" | "authorization_code" | "refresh_token" | "urn:ietf:params:oauth:grant-type:jwt-bearer")[] | undefined;
  /** The method by which the client authenticates; by default `client_secret_basic`. */
  readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "none" | undefined;
  /** The scopes, separated by spaces; by default the four read scopes. */
  readonly scope?: string | undefined;
  /** `identity_assertion` ties the client to a person; it requires the next two fields. */
  readonly type?: "anonymous" | "identity_assertion" | undefined;
  /** The type of the assertion. */
  readonly assertion_type?: "urn:ietf:params:oauth:token-type:id-jag" | "urn:ietf:params:oauth:token-type:jwt" | undefined;
  /** A JWT from a trusted identity provider. */
  readonly assertion?: string | undefined;
  /** The default and only value. */
  readonly requested_credential_type?: "oauth_client_credentials" | undefined;
}

/** The result of a compatibility check. */
export interface Compatibility {
  /** The object’s type. */
  readonly object: "compatibility";
  /** Whether the application runs there. */
  readonly compatible: boolean;
  /** One sentence for each requirement that is not met; empty if compatible. */
  readonly reasons: readonly (string)[];
  /** The minimum requirements. */
  readonly minimum: {
    /** The minimum OS version. */
    readonly os_version: string;
    /** `arm64` if only Apple silicon is supported, otherwise `x86_64`. */
    readonly arch: Open<CompatibilityArch>;
  };
  /** The reasons in a form for programs, in the order of `reasons`. */
  readonly checks: readonly ({
    /** Which requirement is not met. */
    readonly code: Open<CompatibilityCode>;
    /** The required value. */
    readonly required: string;
    /** The value that was sent. */
    readonly given: string;
  })[];
  /** The OS version that was checked, if the one sent is an older name for it. */
  readonly interpreted_as?: string;
  /** True if the OS is newer than any version that the vendor has tested. */
  readonly untested?: boolean;
  /** True if the OS runs it only by emulating another processor, as Windows 11 on Arm does. */
  readonly emulated?: boolean;
  /** The newest older release that runs there, present if the current one does not and one does. */
  readonly last_release?: {
    /** Its version. */
    readonly version: string;
    /** Its page. */
    readonly url: string;
    /** Its download for that computer. */
    readonly download_url: string;
  };
}

/** The values of this version. Responses may have others in a later one. */
export type CompatibilityArch = "arm64" | "x86_64";

/** The values of this version. Responses may have others in a later one. */
export type CompatibilityCode = "os_unsupported" | "os_too_old" | "os_too_new" | "arch_unsupported";

/** The form of the consent page. */
export interface ConsentDecision {
  /** The hidden field of the page; it can be used once, within ten minutes. */
  readonly ticket: string;
  /** The person’s choice. */
  readonly decision: Open<"allow" | "deny">;
}

/** A documentation page. */
export interface Doc {
  /** The object’s type. */
  readonly object: "doc";
  /** The page’s name: its path after `/docs/`. */
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
  /** The date of the last change, or null if unknown. */
  readonly updated_at: string | null;
  /** The page’s text, without front matter, with absolute links. */
  readonly markdown: string;
  /** The page’s headings, in order. */
  readonly headings: readonly ({
    /** 1 to 6, as in HTML. */
    readonly level: number;
    /** The heading without markup. */
    readonly text: string;
    /** The fragment of `url` that links to it. */
    readonly anchor: string;
  })[];
  /** The number of words in the page’s text. */
  readonly word_count: number;
}

/** A documentation page in the index. */
export interface DocEntry {
  /** The object’s type. */
  readonly object: "doc";
  /** The page’s name: its path after `/docs/`. */
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
  /** The date of the last change, or null if unknown. */
  readonly updated_at: string | null;
}

/** One page of a list of type Doc. */
export interface DocList {
  /** The object’s type. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (DocEntry)[];
  /** The position in the list, and the cursor of the next page. */
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
  /** The object’s type. */
  readonly object: "faq";
  /** The entry’s ID. */
  readonly id: string;
  /** The question. */
  readonly question: string;
  /** Markdown, with absolute links. */
  readonly answer: string;
  /** The group that it is listed in. */
  readonly category: string;
  /** The entry for people. */
  readonly url: string;
  /** The entry as markdown. */
  readonly markdown_url: string;
}

/** One page of a list of type Faq. */
export interface FaqList {
  /** The object’s type. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (Faq)[];
  /** The position in the list, and the cursor of the next page. */
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
  /** The object’s type. */
  readonly object: "feature";
  /** The feature’s id. */
  readonly id: string;
  /** The feature’s name. */
  readonly name: string;
  /** A description of the feature. */
  readonly description: string;
  /** Whether it works without sending anything off the computer. */
  readonly on_device: boolean;
  /** The id of a permission (see requirements) without which the feature does not work, whether or not the application as a whole requires it; null if the feature needs no further permission. */
  readonly permission: string | null;
  /** The feature on the front page, for people. */
  readonly url: string;
  /** The front page as markdown. */
  readonly markdown_url: string;
}

/** One page of a list of type Feature. */
export interface FeatureList {
  /** The object’s type. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (Feature)[];
  /** The position in the list, and the cursor of the next page. */
  readonly pagination: {
    /** The limit applied. */
    readonly limit: number;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** Opaque; null when has_more is false. */
    readonly next_cursor: string | null;
  };
}

/** An export job. */
export interface Job {
  /** The object’s type. */
  readonly object: "job";
  /** The job’s ID. An Idempotency-Key determines it. */
  readonly id: string;
  /** The job’s progress. */
  readonly status: Open<JobStatus>;
  /** The resource that is exported. */
  readonly resource: Open<JobResource>;
  /** The file’s format. */
  readonly format: Open<JobFormat>;
  /** The URL to poll. */
  readonly poll_url: string;
  /** The time at which the job was started. */
  readonly created_at: string;
  /** The file; present if `status` is `completed`. */
  readonly result?: {
    /** The file. It is public and never changes. */
    readonly url: string;
    /** The file’s media type; the encoding is UTF-8. */
    readonly media_type: Open<JobMediaType>;
    /** The file’s size. */
    readonly size_bytes: number;
    /** The SHA-256 of the file’s bytes, in hexadecimal. */
    readonly sha256: string;
    /** The revision of the content in the file. */
    readonly revision: string;
    /** The time at which the file expires. */
    readonly expires_at: string;
  };
  /** Why the job failed; present if `status` is `failed`. `request_id` is the job’s ID. */
  readonly error?: Problem;
}

/** The values of this version. Responses may have others in a later one. */
export type JobFormat = "markdown" | "json";

/** The values of this version. Responses may have others in a later one. */
export type JobMediaType = "text/markdown" | "application/json";

/** The values of this version. Responses may have others in a later one. */
export type JobResource = "docs" | "faq" | "releases";

/** The values of this version. Responses may have others in a later one. */
export type JobStatus = "queued" | "running" | "completed" | "failed";

/** A plan that the vendor sells or gives away. */
export interface Plan {
  /** The object’s type. */
  readonly object: "plan";
  /** The plan’s id. */
  readonly id: string;
  /** The plan’s name. */
  readonly name: string;
  /** The price. */
  readonly price: {
    /** The amount in the currency’s main unit: 29 is 29 dollars. */
    readonly amount: number;
    /** The currency’s ISO 4217 code. */
    readonly currency: string;
    /** How often the amount is charged; null if nothing is charged. */
    readonly interval: Open<PlanInterval> | null;
    /** The thing that one price buys, such as `seat`; null for a flat price. */
    readonly unit: string | null;
  };
  /** Further prices of the same plan: in other currencies, or for other intervals. */
  readonly prices?: readonly ({
    /** The amount in the currency’s main unit: 29 is 29 dollars. */
    readonly amount: number;
    /** The currency’s ISO 4217 code. */
    readonly currency: string;
    /** How often the amount is charged; null if nothing is charged. */
    readonly interval: Open<PlanInterval> | null;
    /** The thing that one price buys, such as `seat`; null for a flat price. */
    readonly unit: string | null;
  })[];
  /** Who the plan is for. */
  readonly description: string;
  /** The things that the plan includes. */
  readonly includes: readonly (string)[];
  /** The plan on the pricing page, for people. */
  readonly url: string;
  /** The pricing page as markdown. */
  readonly markdown_url: string;
}

/** The values of this version. Responses may have others in a later one. */
export type PlanInterval = "once" | "month" | "year";

/** The object that the API calls Pricing. */
export interface Pricing {
  /** The object’s type. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (Plan)[];
  /** The position in the list, and the cursor of the next page. */
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
    /** The cost in words, with amount, currency and unit. */
    readonly cost: string;
    /** A description of the backend. */
    readonly description: string;
  })[];
  /** The terms of this API itself. */
  readonly api: {
    /** The price of this API. */
    readonly price: "free";
    /** Whether reading needs a credential. */
    readonly key_required: boolean;
    /** The number of requests a minute without a token. */
    readonly requests_per_minute: number;
    /** The number of requests a minute with a token. */
    readonly requests_per_minute_with_token: number;
    /** The developer documentation. */
    readonly docs_url: string;
  };
}

/** A failure (RFC 9457). Branch on `code`; treat an unknown code as its HTTP status class. */
export interface Problem {
  /** The object’s type. */
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
  /** Stable: the field to branch on. */
  readonly code: Open<ProblemCode>;
  /** Equals the X-Request-Id header. */
  readonly request_id: string;
  /** The error reference, at this code. */
  readonly docs_url: string;
  /** Only on validation failures: one entry for each invalid field. */
  readonly errors?: readonly ({
    /** A query parameter’s name, or the path of a field in the body, such as `operations[2].path`. */
    readonly field: string;
    /** The kind of fault: `required`, `out_of_range`, `malformed`, `invalid_value`, `repeated` or `unknown`. */
    readonly code: string;
    /** A sentence that says what is allowed and what was sent. */
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

/** The values of this version. Responses may have others in a later one. */
export type ProblemCode = "invalid_request" | "invalid_cursor" | "invalid_token" | "unauthorized" | "insufficient_scope" | "forbidden_origin" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "idempotency_conflict" | "version_retired" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "unprocessable" | "rate_limited" | "headers_too_large" | "internal_error" | "upstream_unavailable" | "overloaded" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "unsupported_response_type" | "invalid_scope" | "invalid_client_metadata" | "invalid_redirect_uri" | "unapproved_software_statement" | "unsupported_credential_type";

/** One release of the application. */
export interface Release {
  /** The object’s type. */
  readonly object: "release";
  /** The version that users see. */
  readonly version: string;
  /** The day it was published, in UTC. Look at `published_at_source` first. */
  readonly published_at: string;
  /** Release notes, as markdown; empty when there are none. */
  readonly notes: string;
  /** The download URL; for an informational release, its web page. */
  readonly download_url: string;
  /** The systems and processors that run it. */
  readonly platform: {
    /** The operating system’s name. */
    readonly os: string;
    /** The oldest OS version that runs it. */
    readonly min_version: string;
    /** The processors that run it; `universal` is both. */
    readonly arch: Open<ReleaseArch>;
    /** The newest OS version that runs it, or null when every later one does. */
    readonly max_version: string | null;
    /** The feed’s value in lowercase. The updater uses `arm64`, Apple silicon. */
    readonly hardware_requirements: readonly (string)[];
  };
  /** Every file of the release; `platform` and `download_url` are those of one of them. Empty for an informational release. */
  readonly builds: readonly ({
    /** The operating system. */
    readonly os: Open<ReleaseOs>;
    /** The processors: `arm64`, `x86_64`, `universal` for both, or another’s name; null if nobody says. */
    readonly arch: string | null;
    /** The kind of file, or null if it is none of these. */
    readonly format: Open<ReleaseFormat> | null;
    /** The oldest OS version that runs it, or null if nobody says. */
    readonly min_version: string | null;
    /** The newest OS version that runs it, or null when every later one does. */
    readonly max_version: string | null;
    /** The version that the updater compares, or null if the source has no build numbers. */
    readonly build: string | null;
    /** The download URL. */
    readonly download_url: string;
    /** The file’s size, or null if it is unknown. */
    readonly size_bytes: number | null;
    /** The SHA-256 that the source states, or null. This service does not compute it. */
    readonly sha256: string | null;
    /** The SHA-512 that the source states, or null. This service does not compute it. */
    readonly sha512: string | null;
    /** The signature that the source states, or null. This service does not verify it. */
    readonly signature: string | null;
  })[];
  /** The version that the updater compares. */
  readonly build: string;
  /** `stable` for the default channel, otherwise the channel’s name. */
  readonly channel: string;
  /** Whether the updater marks it as critical; only for builds below `critical_below`, if that is set. */
  readonly critical: boolean;
  /** It is critical only if a lower build is installed; null: for every build. */
  readonly critical_below: string | null;
  /** Whether it is an announcement; the updater shows a web page, `download_url`, and downloads nothing. */
  readonly informational: boolean;
  /** The minimum installed build to be offered it, or null. */
  readonly minimum_update_version: string | null;
  /** The minimum installed build for an automatic update, or null. */
  readonly minimum_autoupdate_version: string | null;
  /** How background checks offer it in turn, from `published_at_time` on; null: to everyone at once. */
  readonly phased_rollout: {
    /** Seconds between offering it to one group and the next. */
    readonly interval_seconds: number;
    /** How many groups the updater divides users into. */
    readonly groups: 7;
  } | null;
  /** The download’s size, or null if the feed does not contain it. */
  readonly size_bytes: number | null;
  /** The download’s signature, from the feed. This service does not verify it. */
  readonly signature: {
    /** The signature’s algorithm (RFC 8032). */
    readonly algorithm: "ed25519";
    /** Base64 of the 64-byte signature of the download. */
    readonly value: string;
  } | null;
  /** The time of publication, or null if the feed has none. */
  readonly published_at_time: string | null;
  /** The origin of `published_at`; `feed`: the release’s own date; `neighbor`: the date of the release next to it in the feed, since it has none; `unknown`: no release has a date. */
  readonly published_at_source: Open<ReleasePublishedAtSource>;
  /** Whether the feed’s notes were plain text. */
  readonly notes_format: Open<ReleaseNotesFormat>;
  /** The notes as a web page, or null. */
  readonly notes_url: string | null;
  /** The notes of all versions as a web page, or null. */
  readonly full_notes_url: string | null;
  /** The release’s page on this site, for people. */
  readonly url: string;
  /** The URL of the same page as markdown. */
  readonly markdown_url: string;
}

/** The values of this version. Responses may have others in a later one. */
export type ReleaseArch = "arm64" | "x86_64" | "universal";

/** The values of this version. Responses may have others in a later one. */
export type ReleaseFormat = "dmg" | "pkg" | "zip" | "exe" | "msi" | "msix" | "appimage" | "deb" | "rpm" | "tar";

/** One page of a list of type Release. */
export interface ReleaseList {
  /** The object’s type. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (Release)[];
  /** The position in the list, and the cursor of the next page. */
  readonly pagination: {
    /** The limit applied. */
    readonly limit: number;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** Opaque; null when has_more is false. */
    readonly next_cursor: string | null;
  };
}

/** The values of this version. Responses may have others in a later one. */
export type ReleaseNotesFormat = "markdown" | "plain-text";

/** The values of this version. Responses may have others in a later one. */
export type ReleaseOs = "macOS" | "Windows" | "Linux";

/** The values of this version. Responses may have others in a later one. */
export type ReleasePublishedAtSource = "feed" | "neighbor" | "unknown";

/** The requirements of the application. */
export interface Requirements {
  /** The object’s type. */
  readonly object: "requirements";
  /** The oldest OS version that runs the application. */
  readonly minimum_os_version: string;
  /** The processors that run the application. */
  readonly arch: readonly (Open<RequirementsArch>)[];
  /** Megabytes of disk space. */
  readonly disk_mb: number;
  /** Megabytes of memory. */
  readonly memory_mb: number;
  /** The requirements on each operating system, the product’s main system first. */
  readonly systems: readonly ({
    /** The operating system. */
    readonly os: Open<RequirementsOs>;
    /** Its oldest version that runs the application; `0` for Linux. */
    readonly min_version: string;
    /** The processors; empty if nobody says. */
    readonly arch: readonly (Open<RequirementsArch>)[];
    /** Megabytes of disk space. */
    readonly disk_mb: number;
    /** Megabytes of memory. */
    readonly memory_mb: number;
  })[];
  /** The permissions that the application asks the user for. */
  readonly permissions: readonly ({
    /** The permission’s id. */
    readonly id: string;
    /** The permission’s name in the system’s settings. */
    readonly name: string;
    /** Whether the application needs it to be useful at all. */
    readonly required: boolean;
    /** The benefit of granting it. */
    readonly unlocks: string;
  })[];
}

/** The values of this version. Responses may have others in a later one. */
export type RequirementsArch = "arm64" | "x86_64";

/** The values of this version. Responses may have others in a later one. */
export type RequirementsOs = "macOS" | "Windows" | "Linux";

/** The body of a `batch` request. */
export interface BatchRequest {
  /** 1 to 20 operations. */
  readonly operations: readonly ({
    /** Chosen by you; returned with the result. */
    readonly id: string;
    /** Only `GET`. */
    readonly method: "GET";
    /** Relative to the API root, with its query string. */
    readonly path: string;
  })[];
}

/** The results of a batch. */
export interface BatchResults {
  /** The object’s type. */
  readonly object: "batch";
  /** The results, in the order of the operations. */
  readonly results: readonly ({
    /** The operation’s ID. */
    readonly id: string;
    /** The status of the GET. */
    readonly status: number;
    /** The body of the GET, or a problem document. */
    readonly body: {
    };
  })[];
}

/** Something that matches. */
export interface SearchResult {
  /** The kind of thing found. */
  readonly object: Open<SearchResultObject>;
  /** Higher is better; comparable within one response only. */
  readonly score: number;
  /** The page’s title, the question, or the name. */
  readonly title: string;
  /** The heading of the section that matches; null for the introduction, and for what has no sections. */
  readonly section: string | null;
  /** A sentence or two of plain text, with the matched words in `**bold**`. */
  readonly excerpt: string;
  /** The page, for people. */
  readonly url: string;
  /** The place on that page that matches. */
  readonly section_url: string;
  /** The page as markdown. */
  readonly markdown_url: string;
  /** The page’s slug, on `doc` and `reference`. */
  readonly slug?: string;
  /** The ID of the FAQ entry, plan or feature, or the version of the release. */
  readonly id?: string;
}

/** One page of a list of type Search Result. */
export interface SearchResultList {
  /** The object’s type. */
  readonly object: "list";
  /** The items. */
  readonly data: readonly (SearchResult)[];
  /** The position in the list, and the cursor of the next page. */
  readonly pagination: {
    /** The limit applied. */
    readonly limit: number;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** Opaque; null when has_more is false. */
    readonly next_cursor: string | null;
  };
  /** The query that was used, when a word of `q` was corrected or translated. */
  readonly searched_for?: string;
  /** The language of the documentation (BCP 47), when nothing matches or `q` has words of another language. */
  readonly documentation_language?: string;
}

/** The values of this version. Responses may have others in a later one. */
export type SearchResultObject = "release" | "doc" | "faq" | "plan" | "feature" | "requirements" | "reference";

/** The service index. */
export interface ServiceIndex {
  /** The object’s type. */
  readonly object: "index";
  /** The date of the server’s build. */
  readonly api_version: string;
  /** The origin of every URL here. */
  readonly base_url: string;
  /** Every endpoint of this API. */
  readonly endpoints: readonly ({
    /** The operation’s ID in the OpenAPI document. */
    readonly operation_id: string;
    /** The HTTP method. */
    readonly method: Open<ServiceIndexMethod>;
    /** The path, with `{name}` for a path parameter. */
    readonly path: string;
    /** The path as an absolute URL template. */
    readonly url: string;
    /** A summary of the operation. */
    readonly description: string;
    /** The scope that covers this operation; required only for exports. */
    readonly scope: string | null;
    /** Whether a token is required. */
    readonly token_required: boolean;
  })[];
  /** The limits, by the name of their policy. */
  readonly rate_limits: readonly ({
    /** The limit’s name in the RateLimit-Policy header. */
    readonly name: string;
    /** Requests in the window. */
    readonly requests: number;
    /** The window’s length. */
    readonly window_seconds: number;
    /** A sentence that says what is counted, and for whom. */
    readonly applies_to: string;
  })[];
  /** The contract, OpenAPI 3.1. */
  readonly openapi_url: string;
  /** The contract in the form that code generators handle best: JSON only. */
  readonly sdk_openapi_url: string;
  /** The MCP servers, which need no credential. */
  readonly mcp_servers: readonly ({
    /** The server’s name. */
    readonly name: string;
    /** The URL to which JSON-RPC messages are posted. */
    readonly url: string;
    /** A sentence about what the server provides. */
    readonly description: string;
  })[];
  /** The URLs at which an optional credential is obtained. */
  readonly auth: {
    /** RFC 9728. */
    readonly protected_resource_metadata: string;
    /** RFC 8414. */
    readonly authorization_server_metadata: string;
    /** RFC 7591; no approval is needed. */
    readonly registration_endpoint: string;
    /** RFC 6749. */
    readonly token_endpoint: string;
    /** RFC 7009. */
    readonly revocation_endpoint: string;
    /** Instructions for an agent that wants a credential. */
    readonly skill: string;
  };
  /** The base URL of the same API over fixture data. */
  readonly sandbox_url: string;
  /** The developer documentation. */
  readonly docs_url: string;
  /** The error reference. */
  readonly errors_url: string;
  /** The versions and the deprecation policy. */
  readonly versioning: {
    /** The version to use. */
    readonly current: string;
    /** The minimum number of days between the first Deprecation header and the sunset. */
    readonly minimum_notice_days: number;
    /** The policy in words. */
    readonly policy: string;
    /** The policy as a page. */
    readonly policy_url: string;
    /** Every version, retired ones included. */
    readonly versions: readonly ({
      /** The version’s name in the path. */
      readonly version: string;
      /** Retired versions return 410. */
      readonly status: Open<ServiceIndexStatus>;
      /** The date of its deprecation, or null. */
      readonly deprecated_at: string | null;
      /** The date from which it returns 410, or null. */
      readonly sunset_at: string | null;
      /** The version to use instead, or null. */
      readonly successor: string | null;
    })[];
  };
}

/** The values of this version. Responses may have others in a later one. */
export type ServiceIndexMethod = "GET" | "POST";

/** The values of this version. Responses may have others in a later one. */
export type ServiceIndexStatus = "current" | "deprecated" | "retired";

/** The body of a `startExport` request. */
export interface StartExportRequest {
  /** The resource to export: `docs`, `faq` or `releases`. */
  readonly resource: "docs" | "faq" | "releases";
  /** `markdown`: one text, each item with its front matter. `json`: a list of the same objects that the API returns. */
  readonly format: "markdown" | "json";
}

/** The query parameters of `listReleases`. */
export interface ListReleasesParams {
  /** How many items to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The cursor of the next page: `pagination.next_cursor` from the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** Adds the releases of this channel, such as `beta`, to those of the default channel. */
  readonly channel?: string | undefined;
  /** Only releases that are newer than this version, by the updater’s order; the version itself is left out. */
  readonly since?: string | undefined;
}

/** The query parameters of `getLatestRelease`. */
export interface GetLatestReleaseParams {
  /** Also offers the releases of this channel, such as `beta`. */
  readonly channel?: string | undefined;
  /** The operating system; the product’s main one when left out. */
  readonly os?: "macOS" | "Windows" | "Linux" | undefined;
  /** The computer’s OS version, such as `14.5`; the newest when left out. */
  readonly os_version?: string | undefined;
  /** The computer’s processor: on a Mac, `arm64` is Apple silicon and `x86_64` is Intel. */
  readonly arch?: "arm64" | "x86_64" | undefined;
}

/** The query parameters of `listDocs`. */
export interface ListDocsParams {
  /** How many items to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The cursor of the next page: `pagination.next_cursor` from the previous page, unchanged. */
  readonly cursor?: string | undefined;
}

/** The query parameters of `listFaq`. */
export interface ListFaqParams {
  /** How many items to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The cursor of the next page: `pagination.next_cursor` from the previous page, unchanged. */
  readonly cursor?: string | undefined;
}

/** The query parameters of `checkCompatibility`. */
export interface CheckCompatibilityParams {
  /** The operating system; the product’s main one when left out. */
  readonly os?: "macOS" | "Windows" | "Linux" | undefined;
  /** An OS version such as `14.5`, or `11`, `23H2` or `10.0.22631` for Windows. */
  readonly os_version?: string | undefined;
  /** The processor: `arm64` is Apple silicon, `x86_64` is Intel. */
  readonly arch: "arm64" | "x86_64";
}

/** The query parameters of `search`. */
export interface SearchParams {
  /** Text to search for, 2 to 200 characters. */
  readonly q: string;
  /** How many items to return, 1 to 50. */
  readonly limit?: number | undefined;
  /** The cursor of the next page: `pagination.next_cursor` from the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** Only results of this kind; `doc` and `faq` when left out, which finds no `release`, `plan`, `feature`, `requirements` or `reference`. */
  readonly type?: "release" | "doc" | "faq" | "plan" | "feature" | "requirements" | "reference" | undefined;
}
