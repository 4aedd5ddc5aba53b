/** Everyday tools of the sample servers, for realistic lists and counts. */
import type { ToolView } from '../../../shared/model/tool.ts';
import { tool } from './sample-tools.ts';

type Level = ToolView['annotations']['safetyLevel'];
type Line = readonly [name: string, description: string, level?: Level];

const filesystem: Line[] = [
  ['create_directory', 'Creates a folder, and those above it where they are missing.', 'moderate'],
  ['directory_tree', 'Returns a folder and everything below it as a tree.'],
  ['edit_file', 'Replaces lines of a text file and returns the difference.', 'moderate'],
  ['get_file_info', 'Returns size, times and permissions of a file.'],
  ['list_allowed_directories', 'Lists the folders that this server may use.'],
  ['list_directory', 'Lists files and folders.'],
  ['list_directory_with_sizes', 'Lists files and folders with their sizes.'],
  ['move_file', 'Moves or renames a file.', 'moderate'],
  ['read_media_file', 'Reads an image or a sound.'],
  ['read_multiple_files', 'Reads several files at once.'],
  ['search_files', 'Finds files by a pattern.'],
];

const github: Line[] = [
  ['add_issue_comment', 'Adds a comment to an issue.', 'moderate'],
  ['create_branch', 'Creates a branch from another one.', 'moderate'],
  ['create_pull_request', 'Opens a pull request.', 'moderate'],
  ['delete_file', 'Deletes a file in a repository with a commit.', 'dangerous'],
  ['fork_repository', 'Forks a repository into your account.', 'moderate'],
  ['get_file_contents', 'Returns a file or a folder of a repository.'],
  ['get_issue', 'Returns an issue with its labels.'],
  ['get_pull_request', 'Returns a pull request.'],
  ['get_pull_request_diff', 'Returns the difference of a pull request.'],
  ['list_branches', 'Lists the branches of a repository.'],
  ['list_commits', 'Lists the commits of a branch.'],
  ['list_issues', 'Lists the issues of a repository, filtered by state and labels.'],
  ['list_pull_requests', 'Lists the pull requests of a repository.'],
  ['merge_pull_request', 'Merges a pull request.', 'dangerous'],
  ['push_files', 'Commits several files at once.', 'dangerous'],
  ['search_issues', 'Finds issues and pull requests.'],
  ['search_repositories', 'Finds repositories.'],
  ['update_issue', 'Changes title, text, state or labels of an issue.', 'moderate'],
];

const memory: Line[] = [
  ['add_observations', 'Adds facts to known entities.', 'moderate'],
  ['create_entities', 'Creates entities in the graph.', 'moderate'],
  ['create_relations', 'Connects entities.', 'moderate'],
  ['delete_entities', 'Deletes entities and their relations.', 'dangerous'],
  ['open_nodes', 'Returns entities by name.'],
  ['read_graph', 'Returns the whole graph.'],
  ['search_nodes', 'Finds entities by a query.'],
];

export function plainTools(): ToolView[] {
  return Object.entries({ filesystem, github, memory }).flatMap(([server, lines]) =>
    lines.map(([name, description, level = 'safe']) => {
      const words = name.replaceAll('_', ' ');
      return tool({
        server,
        name,
        description,
        title: words.charAt(0).toUpperCase() + words.slice(1),
        category: server === 'github' ? 'version-control' : server === 'filesystem' ? 'file-system' : 'data',
        requiresAuth: server === 'github',
        level,
      });
    }),
  );
}
