/** The package has no types of its own. */
declare module 'markdown-it-footnote' {
  import type MarkdownIt from 'markdown-it';

  const plugin: (md: MarkdownIt) => void;
  export default plugin;
}
