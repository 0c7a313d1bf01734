// What the engine may call, by name.

const api = {
  walk, graphics, learnActors, learnSheets, get: elementOf, about: aboutId, twins, closed, asked: askedElement, learn, owner: elementOf, boxes,
  probe, dump,
  find, prepare, prepareFound, conclude, selectAhead, concludeAhead, arrived, rememberView, changesSince, pointTo, listed, listedSelection, rememberLists, scrollOptions, listIsOpen, ownDialog, checkedState, dropPoint, dragHandle, dragBegan, elementAt,
  factOf, purposeOf, secretsNow, markSecret, focusOn, focusEnd, assign, choose, scrollBy, controlsOver, isOnTop,
  matching, number, flatParent,
  isShown, isInView, centreInView, confirmed,
  catchPaste, caughtPaste, armPaste, disarmPaste, giveToClipboard,
};
globalThis.__boathook = api;
return api;
