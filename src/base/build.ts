/** The date that names this build of API v1; every response carries it as API-Version. Changed when the API changes. */
export const apiVersion = '2026-11-21';
