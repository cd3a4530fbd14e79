//! The warehouse.

use axum::http::Method;
use waybill_domain::access::Scope;

use super::table::{Cost, Route, route, team};
use crate::wms::{actions, adjustments, fulfilments, items, levels, papers, ship};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// Items, stock, and requests to send it.
pub fn routes() -> Vec<Route> {
    let (read, write) = (Scope::WMS_READ, Scope::WMS_WRITE);
    let catalog = "/beta/teams/{teamUuid}/wms/catalog-items";
    let item = "/beta/teams/{teamUuid}/wms/catalog-items/{item}";
    let stock = "/beta/teams/{teamUuid}/wms/inventory-levels";
    let ledger = "/beta/teams/{teamUuid}/wms/inventory-adjustments";
    let requests = "/beta/teams/{teamUuid}/wms/fulfilment-requests";
    let request = "/beta/teams/{teamUuid}/wms/fulfilment-requests/{request}";
    let allocate = "/beta/teams/{teamUuid}/wms/fulfilment-requests/{request}/allocate";
    let pick = "/beta/teams/{teamUuid}/wms/fulfilment-requests/{request}/pick";
    let pack = "/beta/teams/{teamUuid}/wms/fulfilment-requests/{request}/pack";
    let leave = "/beta/teams/{teamUuid}/wms/fulfilment-requests/{request}/ship";
    let cancel = "/beta/teams/{teamUuid}/wms/fulfilment-requests/{request}/cancel";
    let documents = "/beta/teams/{teamUuid}/wms/fulfilment-requests/{request}/documents";
    vec![
        route(GET, catalog, "listCatalogItems", team(read, items::list)),
        route(POST, catalog, "createCatalogItem", team(write, items::create)),
        route(GET, item, "getCatalogItem", team(read, items::show)),
        route(Method::PATCH, item, "updateCatalogItem", team(write, items::update)),
        route(Method::DELETE, item, "deleteCatalogItem", team(write, items::delete)),
        route(GET, stock, "listInventoryLevels", team(read, levels::list)),
        route(GET, ledger, "listInventoryAdjustments", team(read, adjustments::list)),
        route(POST, ledger, "createInventoryAdjustment", team(write, adjustments::create)),
        route(GET, requests, "listFulfilmentRequests", team(read, fulfilments::list)),
        route(POST, requests, "createFulfilmentRequest", team(write, fulfilments::create)),
        route(GET, request, "getFulfilmentRequest", team(read, fulfilments::show)),
        route(POST, allocate, "allocateFulfilmentRequest", team(write, actions::allocate)),
        route(POST, pick, "pickFulfilmentRequest", team(write, actions::pick)),
        route(POST, pack, "packFulfilmentRequest", team(write, actions::pack)),
        route(POST, leave, "shipFulfilmentRequest", team(write, ship::ship))
            .costing(Cost::WaitsForCarrier),
        route(POST, cancel, "cancelFulfilmentRequest", team(write, actions::cancel)),
        route(POST, documents, "createFulfilmentDocuments", team(write, papers::create))
            .costing(Cost::Much),
    ]
}
