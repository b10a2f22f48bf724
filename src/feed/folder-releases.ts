/** The releases that the content folder itself lists, in releases/VERSION.md with a date and downloads. */
import type { Content } from '../content/content.ts';
import { describeFile, getLastSegment } from './file-names.ts';
import type { FeedRelease, FeedWarning } from './release.ts';
import { createFile, markIntelFiles } from './source-file.ts';

/**
 * Returns the files of the sources, then those of the content folder's releases, with `feedIndex` counted over both; `releases`
 * itself if the folder has no files.
 *
 * @param warnings receives a sentence for each download whose system neither its `os` nor its name states; it is left out
 */
export function joinFolderReleases(
  releases: readonly FeedRelease[],
  content: Pick<Content, 'releases'>,
  warnings: FeedWarning[],
): readonly FeedRelease[] {
  const folderFiles = listFolderReleases(content, warnings);
  return folderFiles.length === 0
    ? releases
    : [...releases, ...folderFiles].map((release, feedIndex) => ({ ...release, feedIndex }));
}

/**
 * Returns the files of the folder's releases, with empty `notes`, since the notes come with the content. A download that no system
 * can be read from is left out, with a sentence in `warnings`.
 */
function listFolderReleases({ releases }: Pick<Content, 'releases'>, warnings: FeedWarning[]): FeedRelease[] {
  return releases.flatMap(({ version, date, channel = null, downloads }) => {
    const files = downloads.flatMap((download) => {
      const fileFacts = describeFile(download.url);
      const file = fileFacts === null || fileFacts === 'conflict' ? null : fileFacts;
      const os = download.os ?? file?.os;
      if (!os) {
        const message = `releases/${version}.md: nothing says which system ${getLastSegment(download.url)} is for: write its \`os\`.`;
        warnings.push({ line: null, message });
        return [];
      }
      return createFile({
        source: 'folder',
        version,
        channel,
        publishedAtTime: `${date}T00:00:00Z`,
        downloadUrl: download.url,
        sizeBytes: download.size ?? null,
        sha256: download.sha256 ?? null,
        sha512: download.sha512 ?? null,
        os,
        arch: download.arch ?? file?.arch ?? null,
        namedArch: file?.arch ?? null,
        format: file?.format ?? null,
        minimumOsVersion: download.min_version ?? null,
        maximumOsVersion: download.max_version ?? null,
      });
    });
    return markIntelFiles(files).map((file): FeedRelease => ({ ...file, notes: '', notesFormat: 'none' }));
  });
}
