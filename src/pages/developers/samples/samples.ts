/** The same request in five languages. */
import { curl } from './curl.ts';
import { go } from './go.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';
import type { SampleRequest } from './request.ts';
import { swift } from './swift.ts';

export interface Sample {
  readonly language: 'sh' | 'js' | 'python' | 'swift' | 'go';
  readonly title: string;
  readonly code: string;
}

export const samplesOf = (request: SampleRequest): Sample[] => [
  { language: 'sh', title: 'curl', code: curl(request) },
  { language: 'js', title: 'JavaScript', code: javascript(request) },
  { language: 'python', title: 'Python', code: python(request) },
  { language: 'swift', title: 'Swift', code: swift(request) },
  { language: 'go', title: 'Go', code: go(request) },
];
