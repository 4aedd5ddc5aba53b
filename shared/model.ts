/** The words of the product: what servers, tools, rules, questions and calls look like on both sides of the Wire. */
export * from './model/call.ts';
export * from './model/failure.ts';
export * from './model/import.ts';
export * from './model/install.ts';
export * from './model/profile.ts';
export * from './model/question.ts';
export * from './model/rule.ts';
export * from './model/search.ts';
export * from './model/secret.ts';
export * from './model/server.ts';
export * from './model/setting.ts';
export * from './model/setup.ts';
export * from './model/tool.ts';
