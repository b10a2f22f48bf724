/** What is needed of node:http, without importing it: an import would load the client of fetch too, 15 MB that a server of local files never uses. */
import type http from 'node:http';

const { createServer, STATUS_CODES }: typeof http = process.getBuiltinModule('node:http');

export { createServer, STATUS_CODES };
