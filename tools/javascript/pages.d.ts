// What pages in Chromium have, and TypeScript's libraries do not.

// The walker's API, which other scripts in the same world call.
declare var getEventListeners: (node: Node) => Record<string, { listener: Function }[]>;
declare var __boathook: any;
declare var __boathookReader: any;
declare var __boathookCollect: any;
declare var __REACT_DEVTOOLS_GLOBAL_HOOK__: any;

interface Element {
  _reactRootContainer?: any;
}
interface ErrorConstructor {
  captureStackTrace(target: object, constructor?: Function): void;
}
interface PerformanceObserverInit {
  durationThreshold?: number;
}
