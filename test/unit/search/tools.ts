/** Tools to search among, written by hand. */
import type { SearchDoc } from '../../../electron/core/search/search-doc.ts';

export function doc(server: string, name: string, description: string, more: Partial<SearchDoc> = {}): SearchDoc {
  return { key: `${server}::${name}`, server, name, description, parameters: [], tags: [], ...more };
}

export const office: SearchDoc[] = [
  doc('github', 'create_issue', 'Open a new issue in a repository', {
    parameters: [
      { name: 'title', description: 'Title of the issue' },
      { name: 'labels', description: 'Labels to put on it' },
    ],
  }),
  doc('github', 'list_pull_requests', 'List the pull requests of a repository'),
  doc('github', 'createPullRequest', 'Open a pull request from a branch'),
  doc('gitlab', 'create_issue', 'Create an issue in a project'),
  doc('git', 'status', 'Show modified, staged and untracked files'),
  doc('files', 'read_file', 'Read a file from disk', { parameters: [{ name: 'path', description: 'Where it is' }] }),
  doc('files', 'delete_file', 'Remove a file from disk for ever'),
  doc('slack', 'post_message', 'Send a message to a channel'),
  doc('calendar', 'add_event', 'Put an appointment into the calendar'),
  doc('weather', 'forecast', 'Temperature and rain of the coming days'),
  doc('shop', 'orders', 'Everything that was bought', { tags: ['billing'] }),
];
