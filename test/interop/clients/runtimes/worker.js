/** Runs the exercise with the installed package as a Cloudflare Worker, and responds with its report. */
import * as client from './client.js';
import { exercise } from './exercise.js';

export default {
  async fetch(request) {
    const origin = new URL(request.url).searchParams.get('origin');
    return Response.json(await exercise(client, { origin, mayHoldSecret: true }));
  },
};
