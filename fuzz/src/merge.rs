//! RFC 7396, section 2: the pseudocode of `MergePatch`, word for word. Order does not count.

use std::collections::BTreeMap;

use waybill_domain::json::{Json, MemberName};

/// What the target becomes under the patch.
pub fn merge_patch(target: &Json, patch: &Json) -> Json {
    let Json::Object(changes) = patch else { return patch.clone() };
    let mut members: BTreeMap<MemberName, Json> = match target {
        Json::Object(members) => members.iter().cloned().collect(),
        _ => BTreeMap::new(),
    };
    for (name, change) in changes {
        let before = members.remove(name).unwrap_or(Json::Null);
        if *change != Json::Null {
            members.insert(name.clone(), merge_patch(&before, change));
        }
    }
    Json::Object(members.into_iter().collect())
}

/// True when two values differ in nothing but the order of members.
pub fn is_same(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::List(left), Json::List(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| is_same(l, r))
        }
        (Json::Object(left), Json::Object(right)) => {
            let right: BTreeMap<&str, &Json> = right.iter().map(|(n, v)| (n.as_ref(), v)).collect();
            left.len() == right.len()
                && left.iter().all(|(n, v)| right.get(n.as_ref()).is_some_and(|r| is_same(v, r)))
        }
        (left, right) => left == right,
    }
}
